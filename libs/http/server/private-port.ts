import Koa, { type Context } from "koa";
import type { Logger } from "@tranche/shared/process/logger";
import { publicPath } from "@tranche/shared/process/public-path";
import type { Settings } from "@tranche/shared/process/settings";
import { errorResponses } from "../errors/error-responses.ts";
import { ownHostOnly } from "./own-host.ts";
import { requestIds } from "./request-id.ts";
import { securityHeaders } from "./security-headers.ts";
import { closeServer, createHttpServer, listen } from "./server.ts";
import { wellFormedOnly } from "./well-formed.ts";

const CLOSE_WITHIN_MS = 1000;

export type PrivatePort = { address: string; close: () => Promise<void> };

export type PrivatePortSettings = Pick<
  Settings,
  "TRANCHE_OPERATOR_HOST" | "TRANCHE_OPERATOR_HOSTS" | "TRANCHE_PUBLIC_URL"
>;

/**
 * A port of one process for health and metrics, on the interface of the operators' port. It needs no token, so that no process but the
 * operators' has it: it shows figures alone, changes nothing, and answers no page of a browser and no foreign Host.
 */
export async function servePrivatePort(
  port: number,
  settings: PrivatePortSettings,
  log: Logger,
  answer: (ctx: Context) => Promise<void>,
): Promise<PrivatePort> {
  const { TRANCHE_OPERATOR_HOST: listening, TRANCHE_OPERATOR_HOSTS: named } = settings;
  const path = publicPath(settings);
  const app = new Koa();
  app.use(requestIds());
  app.use(errorResponses(log, path));
  app.use(securityHeaders());
  app.use(wellFormedOnly());
  app.use(ownHostOnly({ listening, named }));
  app.use(answer);
  const server = createHttpServer(app.callback(), { publicPath: path });
  const address = await listen(server, port, listening);
  return { address, close: () => closeServer(server, CLOSE_WITHIN_MS) };
}

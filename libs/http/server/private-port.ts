import Koa, { type Context } from "koa";
import type { Logger } from "@tranche/shared/process/logger";
import { errorResponses } from "../errors/error-responses.ts";
import { operatorsOnly } from "./operators-only.ts";
import { requestIds } from "./request-id.ts";
import { securityHeaders } from "./security-headers.ts";
import { closeServer, createHttpServer, listen } from "./server.ts";
import { wellFormedOnly } from "./well-formed.ts";

const CLOSE_WITHIN_MS = 1000;

export type PrivatePort = { address: string; close: () => Promise<void> };

/** A port for health and metrics, under the rules of the operators' port for what is well-formed, the Host header and the token. */
export async function servePrivatePort(
  settings: { port: number; publicPath: string; log: Logger } & Parameters<typeof operatorsOnly>[0],
  answer: (ctx: Context) => Promise<void>,
): Promise<PrivatePort> {
  const { port, publicPath, log, listening, named, token } = settings;
  const app = new Koa();
  app.use(requestIds());
  app.use(errorResponses(log, publicPath));
  app.use(securityHeaders());
  app.use(wellFormedOnly());
  app.use(operatorsOnly({ listening, named, token }));
  app.use(answer);
  const server = createHttpServer(app.callback(), { publicPath });
  const address = await listen(server, port, listening);
  return { address, close: () => closeServer(server, CLOSE_WITHIN_MS) };
}

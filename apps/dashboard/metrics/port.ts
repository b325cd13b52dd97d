import { operatorsOnly } from "@tranche/http/server/operators-only";
import { requestIds } from "@tranche/http/server/request-id";
import { securityHeaders } from "@tranche/http/server/security-headers";
import { closeServer, createHttpServer, listen } from "@tranche/http/server/server";
import type { Settings } from "@tranche/shared/settings/settings";
import Koa from "koa";
import type { Registry } from "prom-client";

const CLOSE_WITHIN_MS = 1000;

type PortSettings = Pick<Settings, "TRANCHE_OPERATOR_HOST" | "TRANCHE_OPERATOR_HOSTS" | "TRANCHE_OPERATOR_TOKEN">;

/** The dashboard's port for Prometheus: `/metrics`, under the rules of the operators' port for the Host header and the token. */
export async function serveMetrics(
  port: number,
  settings: PortSettings,
  registry: Registry,
): Promise<{ close: () => Promise<void> }> {
  const { TRANCHE_OPERATOR_HOST: listening, TRANCHE_OPERATOR_HOSTS: named, TRANCHE_OPERATOR_TOKEN: token } = settings;
  const app = new Koa();
  app.use(requestIds());
  app.use(securityHeaders());
  app.use(operatorsOnly({ listening, named, token }));
  app.use(async (ctx) => {
    if (ctx.path !== "/metrics") return;
    ctx.set("Cache-Control", "no-store");
    ctx.type = registry.contentType;
    ctx.body = await registry.metrics();
  });
  const server = createHttpServer(app.callback());
  await listen(server, port, listening);
  return { close: () => closeServer(server, CLOSE_WITHIN_MS) };
}

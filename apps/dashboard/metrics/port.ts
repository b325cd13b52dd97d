import { type PrivatePort, servePrivatePort } from "@tranche/http/server/private-port";
import type { Logger } from "@tranche/shared/process/logger";
import { publicPath } from "@tranche/shared/process/public-path";
import type { Settings } from "@tranche/shared/process/settings";
import type { Registry } from "prom-client";

type PortSettings = Pick<
  Settings,
  "TRANCHE_OPERATOR_HOST" | "TRANCHE_OPERATOR_HOSTS" | "TRANCHE_OPERATOR_TOKEN" | "TRANCHE_PUBLIC_URL"
>;

/** The dashboard's port for Prometheus: `/metrics`, under the rules of the operators' port for the Host header and the token. */
export function serveMetrics(
  port: number,
  settings: PortSettings,
  { registry, log }: { registry: Registry; log: Logger },
): Promise<PrivatePort> {
  const { TRANCHE_OPERATOR_HOST: listening, TRANCHE_OPERATOR_HOSTS: named, TRANCHE_OPERATOR_TOKEN: token } = settings;
  return servePrivatePort({ port, publicPath: publicPath(settings), log, listening, named, token }, async (ctx) => {
    if (ctx.path !== "/metrics") return;
    ctx.set("Cache-Control", "no-store");
    ctx.type = registry.contentType;
    ctx.body = await registry.metrics();
  });
}

import type { Settings } from "@tranche/shared/process/settings";
import type { Engines } from "../../tools/local-engines/engines.ts";
import type { Ports } from "./ports.ts";
import { webhookKey } from "./kept-secret.ts";

/** The environment of the processes that are started. The operators' token is not in it: one process alone gets it. */
export function childEnvironment(
  environment: NodeJS.ProcessEnv,
  parts: {
    settings: Pick<Settings, "HOST">;
    engines: Pick<Engines, "elasticsearchUrl" | "redisUrl">;
    ports: Ports;
    apiUrl: string;
    dashboardUrl: string;
    home: string;
    now: string | undefined;
  },
): NodeJS.ProcessEnv {
  const { settings, engines, ports, apiUrl, dashboardUrl, home, now } = parts;
  return {
    ...environment,
    ELASTICSEARCH_URL: engines.elasticsearchUrl,
    REDIS_URL: engines.redisUrl,
    HOST: settings.HOST,
    PORT: String(ports.api),
    TRANCHE_OPERATOR_PORT: String(ports.operator),
    TRANCHE_DASHBOARD_PORT: String(ports.dashboard),
    TRANCHE_DASHBOARD_URL: dashboardUrl,
    TRANCHE_API_URL: apiUrl,
    TRANCHE_HOME: home,
    TRANCHE_OPERATOR_TOKEN: undefined,
    TRANCHE_WEBHOOK_KEY: environment["TRANCHE_WEBHOOK_KEY"] || webhookKey(home),
    ...(now ? { TRANCHE_NOW: now } : {}),
  };
}

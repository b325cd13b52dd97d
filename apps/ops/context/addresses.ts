import { resolve } from "node:path";
import type { Running } from "@tranche/shared/process/home";
import { Failure } from "../terminal/failure.ts";

type Environment = Record<string, string | undefined>;

/**
 * The environment, completed by the addresses, the namespace, the clock and the webhooks of a running `npm start`. If both engines are given, nothing is completed,
 * because they may belong to another installation. Throws a Failure when TRANCHE_HOME names a home in which nothing runs, because the
 * default addresses may belong to another installation, too.
 */
export function withRunning(environment: Environment, running: Running | undefined): Environment {
  const { ELASTICSEARCH_URL, REDIS_URL, TRANCHE_HOME, TRANCHE_NOW, TRANCHE_API_URL, TRANCHE_DASHBOARD_URL } =
    environment;
  const { TRANCHE_NAMESPACE, TRANCHE_WEBHOOK_KEY, TRANCHE_WEBHOOK_TARGETS } = environment;
  if (!running && TRANCHE_HOME && !ELASTICSEARCH_URL) {
    throw new Failure(
      `No npm start runs in ${resolve(TRANCHE_HOME)}. Start it there, or give ELASTICSEARCH_URL and REDIS_URL, or leave out TRANCHE_HOME.`,
    );
  }
  if (!running || (ELASTICSEARCH_URL && REDIS_URL)) return environment;
  return {
    ...environment,
    ELASTICSEARCH_URL: ELASTICSEARCH_URL || running.elasticsearchUrl,
    REDIS_URL: REDIS_URL || running.redisUrl,
    TRANCHE_NAMESPACE: TRANCHE_NAMESPACE || running.namespace || undefined,
    TRANCHE_NOW: TRANCHE_NOW || running.now || undefined,
    TRANCHE_API_URL: TRANCHE_API_URL || running.apiUrl || undefined,
    TRANCHE_DASHBOARD_URL: TRANCHE_DASHBOARD_URL || running.dashboardUrl || undefined,
    TRANCHE_WEBHOOK_KEY: TRANCHE_WEBHOOK_KEY || running.webhookKey || undefined,
    TRANCHE_WEBHOOK_TARGETS: TRANCHE_WEBHOOK_TARGETS || running.webhookTargets || undefined,
  };
}

/** Said before a command waits for engines that nothing names: a `npm start` in another home is the likely reason. Undefined where something names them. */
export function unnamedText(environment: Environment, running: Running | undefined, home: string): string | undefined {
  if (running || environment["ELASTICSEARCH_URL"] || environment["ELASTICSEARCH_URL_FILE"]) return undefined;
  return `No npm start runs in ${home}, so the default addresses are tried. TRANCHE_HOME names another home, ELASTICSEARCH_URL and REDIS_URL other engines.`;
}

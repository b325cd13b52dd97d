import type { Running } from "@tranche/shared/settings/home";

type Environment = Record<string, string | undefined>;

/**
 * The environment with the addresses of a running `npm start` in place of those not given, and its clock, unless one is given.
 * Where both engines are given, nothing of it is used: they may belong to another installation.
 */
export function withRunning(environment: Environment, running: Running | undefined): Environment {
  const { ELASTICSEARCH_URL, REDIS_URL, TRANCHE_NOW } = environment;
  if (!running || (ELASTICSEARCH_URL && REDIS_URL)) return environment;
  return {
    ...environment,
    ELASTICSEARCH_URL: ELASTICSEARCH_URL || running.elasticsearchUrl,
    REDIS_URL: REDIS_URL || running.redisUrl,
    TRANCHE_NOW: TRANCHE_NOW || running.now || undefined,
  };
}

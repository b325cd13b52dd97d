import type { Client } from "@elastic/elasticsearch";
import { createSearchClient } from "@tranche/shared/search/client";
import { type IndexNames, indexNames } from "@tranche/shared/search/index-names";
import { afterAll, beforeAll, inject } from "vitest";
import { deleteNamespace } from "./namespace.ts";
import { openQueues, type Queues } from "./queues.ts";
import { createService, type Engines, type Service } from "./service.ts";

export type Fixture = {
  engines: Engines;
  service: Service;
  queues: Queues;
  client: Client;
  /** The indices of the service's namespace. */
  names: IndexNames;
};

export type FixtureOptions = {
  /** The fixed clock, ISO 8601; without it the service uses the real one. */
  now?: string;
  env?: NodeJS.ProcessEnv;
  /** Called with what the processes print. */
  onOutput?: (text: string) => void;
  /** Processes to start before the tests. A test file that needs more control starts them in its own `beforeAll`. */
  start?: readonly ("indexer" | "api")[];
};

/**
 * Gives the tests of a file, or of a `describe`, a service with a namespace of its own. Call it there before any hook: its
 * `beforeAll` then runs first and its `afterAll` last, and that stops the processes, closes the clients and deletes the namespace.
 */
export function withService({ start = [], ...options }: FixtureOptions = {}): Fixture {
  const engines = { elasticsearchUrl: inject("elasticsearchUrl"), redisUrl: inject("redisUrl") };
  const env = { TRANCHE_PAUSES: "0.1", ...options.env };
  const service = createService(engines, { ...options, env });
  const queues = openQueues(engines.redisUrl, service.namespace);
  const client = createSearchClient({ url: engines.elasticsearchUrl }, { connections: 4, requestTimeoutMs: 30_000 });

  beforeAll(async () => {
    await Promise.all([
      start.includes("indexer") && service.startIndexer(),
      start.includes("api") && service.startApi(),
    ]);
  });
  afterAll(async () => {
    await service.stop();
    await queues.close();
    await client.close();
    await deleteNamespace(engines, service.namespace);
  });

  return { engines, service, queues, client, names: indexNames(service.namespace) };
}

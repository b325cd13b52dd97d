import type { Client } from "@elastic/elasticsearch";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { type IndexNames, indexNames } from "@tranche/shared/engines/search/index-names";
import { afterAll, beforeAll, inject } from "vitest";
import type { SharedName, SharedService } from "../setup/shared-services.ts";
import { deleteNamespace, type Engines } from "./namespace.ts";
import { PAUSES } from "./pauses.ts";
import { openQueues, type Queues } from "./queues.ts";
import { createService, type Service } from "./service.ts";

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
  start?: readonly ("indexer" | "api" | "operators")[];
};

/**
 * Gives the tests of a file, or of a `describe`, a service with a namespace of its own. Call it there before any hook: its
 * `beforeAll` then runs first and its `afterAll` last, and that stops the processes, closes the clients and deletes the namespace.
 */
export function withService({ start = [], ...options }: FixtureOptions = {}): Fixture {
  const engines = enginesOfRun();
  const env = { TRANCHE_PAUSES: PAUSES, ...options.env };
  const service = createService(engines, { ...options, env });
  beforeAll(async () => {
    await Promise.all([
      start.includes("indexer") && service.startIndexer(),
      start.includes("api") && service.startApi(),
      start.includes("operators") && service.startOperators(),
    ]);
  });
  return fixtureOf(engines, service, () => deleteNamespace(engines, service.namespace));
}

/**
 * Gives the tests of a file the service that all such files share: an API, an indexer and a dashboard that run already. For tests whose
 * assertions name only accounts and records of their own, whatever other files do at the same time. A process that a file starts itself
 * ends with it.
 */
export const withSharedService = (): Fixture => shared("live");

/** Gives the tests of a file a service that has the showcase, on its day, and shares it likewise: for tests that write no records. */
export const withShowcase = (): Fixture => shared("showcase");

function shared(name: SharedName): Fixture {
  const engines = enginesOfRun();
  const { namespace, address } = inject("sharedServices")[name];
  const service = createService(engines, { namespace });
  beforeAll(async () => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`the shared service did not start: ${await answer.text()}`);
    const { env, ...addresses } = (await answer.json()) as SharedService;
    Object.assign(service.env, env);
    Object.assign(service, addresses);
  });
  return fixtureOf(engines, service);
}

const enginesOfRun = (): Engines => ({
  elasticsearchUrl: inject("elasticsearchUrl"),
  redisUrl: inject("redisUrl"),
});

/** With clients that are closed in the end, after the processes and before `last`. */
function fixtureOf(engines: Engines, service: Service, last = async () => {}): Fixture {
  const queues = openQueues(engines.redisUrl, service.namespace);
  const client = createSearchClient({ url: engines.elasticsearchUrl }, { connections: 4, requestTimeoutMs: 30_000 });
  afterAll(async () => {
    await service.stop();
    await queues.close();
    await client.close();
    await last();
  });
  return { engines, service, queues, client, names: indexNames(service.namespace) };
}

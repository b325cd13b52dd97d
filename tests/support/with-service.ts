import type { Client } from "@elastic/elasticsearch";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { type IndexNames, indexNames } from "@tranche/shared/engines/search/index-names";
import { afterAll, beforeAll, inject } from "vitest";
import { offered } from "../setup/offer.ts";
import type { SharedName, SharedService } from "../setup/shared-services.ts";
import { ENGINES } from "./engines.ts";
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
  const env = { TRANCHE_PAUSES: PAUSES, ...options.env };
  const service = createService(ENGINES, { ...options, env });
  beforeAll(async () => {
    await Promise.all([
      start.includes("indexer") && service.startIndexer(),
      start.includes("api") && service.startApi(),
      start.includes("operators") && service.startOperators(),
    ]);
  });
  return fixtureOf(service, () => deleteNamespace(ENGINES, service.namespace));
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
  const { namespace, address } = inject("sharedServices")[name];
  const service = createService(ENGINES, { namespace });
  beforeAll(async () => {
    const { env, ...addresses } = await offered<SharedService>(address);
    Object.assign(service.env, env);
    Object.assign(service, addresses);
  });
  return fixtureOf(service);
}

/** With clients that are closed in the end, after the processes and before `last`. */
function fixtureOf(service: Service, last = async () => {}): Fixture {
  const queues = openQueues(ENGINES.redisUrl, service.namespace);
  const client = createSearchClient({ url: ENGINES.elasticsearchUrl }, { connections: 4, requestTimeoutMs: 30_000 });
  afterAll(async () => {
    await service.stop();
    await queues.close();
    await client.close();
    await last();
  });
  return { engines: ENGINES, service, queues, client, names: indexNames(service.namespace) };
}

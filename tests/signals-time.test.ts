import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import { createSearchClient } from "@tranche/shared/search/client";
import { indexNames } from "@tranche/shared/search/index-names";
import { dayOf } from "@tranche/shared/time/day";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createRandom } from "./drills/random.ts";
import { type Clockwork, moveClock, recordsAround } from "./support/passing-time.ts";
import { openQueues } from "./support/queues.ts";
import { createService } from "./support/service.ts";

const FIRST = "2024-02-28T23:59:59Z";
const WITHIN_MS = 20_000;

describe("documents change with time alone", () => {
  const engines = { elasticsearchUrl: inject("elasticsearchUrl"), redisUrl: inject("redisUrl") };
  const service = createService(engines, { now: FIRST });
  let indexer: ChildProcess | undefined;
  const clockwork: Clockwork = {
    service,
    queues: openQueues(engines.redisUrl, service.namespace),
    client: createSearchClient({ url: engines.elasticsearchUrl }, { connections: 4, requestTimeoutMs: 30_000 }),
    names: indexNames(service.namespace),
    async restartIndexer() {
      if (indexer) {
        indexer.kill("SIGTERM");
        await once(indexer, "exit");
      }
      indexer = await service.startIndexer();
    },
  };
  const writes = recordsAround(createRandom(29), dayOf(FIRST), 400);

  beforeAll(async () => {
    await clockwork.restartIndexer();
    await clockwork.queues.send(writes);
    await clockwork.queues.settled();
    // From here on there is a previous index, too.
    expect((await service.ops(["reindex", "--wait"])).code).toBe(0);
  });
  afterAll(async () => {
    await service.stop();
    await clockwork.queues.close();
    await clockwork.client.close();
  });

  test.each([
    ["at midnight, into a leap day", "2024-02-29T00:00:00Z", 100],
    ["at the midnight after it", "2024-03-01T00:00:00Z", 100],
    ["over many days, across expiries", "2024-05-29T12:00:00Z", 300],
    ["back to an earlier day", "2024-02-29T12:00:00Z", 0],
  ])("%s", async (_, now, atLeast) => {
    const { due, differing } = await moveClock(clockwork, now, writes, WITHIN_MS);
    expect(differing).toEqual([]);
    expect(due).toBeGreaterThanOrEqual(atLeast);
  });
});

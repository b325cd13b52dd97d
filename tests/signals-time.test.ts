import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import { dayOf } from "@tranche/shared/domain/time/day";
import { beforeAll, describe, expect, test } from "vitest";
import { createRandom } from "./drills/random.ts";
import { type Clockwork, moveClock, recordsAround } from "./support/passing-time.ts";
import { withService } from "./support/with-service.ts";

const FIRST = "2024-02-28T23:59:59Z";
const WITHIN_MS = 90_000;

describe("documents change with time alone", () => {
  const { service, queues, client, names } = withService({ now: FIRST });
  let indexer: ChildProcess | undefined;
  const clockwork: Clockwork = {
    service,
    queues,
    client,
    names,
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
    await queues.send(writes);
    await queues.settled();
    // Makes a previous index, so that the tests cover it too.
    expect((await service.ops(["reindex", "--wait"])).code).toBe(0);
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

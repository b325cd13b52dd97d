import { afterAll, expect, test } from "vitest";
import { ENGINES } from "../support/engines.ts";
import { openWay } from "../support/way.ts";
import { withService } from "../support/with-service.ts";
import { company, round } from "../support/writes.ts";

const redisUrl = new URL(ENGINES.redisUrl);
const way = await openWay(redisUrl.href);
const { service, queues } = withService();

afterAll(() => way.close());

test("an indexer whose Redis vanished without closing connections continues soon after it is back", async () => {
  const throughWay = new URL(redisUrl);
  throughWay.host = way.address;
  await service.startIndexer({ REDIS_URL: throughWay.href });
  await queues.send([company(1, "co-1"), round(1, "rnd-1", "co-1")]);
  await queues.settled();

  way.vanish();
  await queues.send([round(2, "rnd-1", "co-1")]);
  await expect(queues.settled(3000)).rejects.toThrow();
  await way.comeBack();
  // Silence is noticed after 20 s; the lock of a job that was taken before ends after 30.
  expect(await queues.settled(60_000)).toBeLessThan(45_000);
});

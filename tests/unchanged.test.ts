import { setTimeout as pause } from "node:timers/promises";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { expect, onTestFinished, test } from "vitest";
import { ChangeLog } from "../apps/api/cache/change-log.ts";
import { watchUnchanged } from "../apps/api/cache/watch-unchanged.ts";
import { withService } from "./support/with-service.ts";
import { company, round } from "./support/writes.ts";

const { queues, client, names } = withService({ now: "2025-06-15T12:00:00Z", start: ["indexer"] });

test("Elasticsearch confirms that nothing became visible, until a record does", async () => {
  await queues.send([company(1, "co-1"), round(1, "rnd-1", "co-1")]);
  await queues.investorsSettled();
  const logs = new Map(READ_MODELS.map((model) => [model, new ChangeLog()]));
  const watching = watchUnchanged(client, names, logs, 50);
  onTestFinished(() => watching.close());
  const funding = logs.get("funding")!;
  await pause(1000);
  const before = performance.now();
  // Idle indexers look for work, which changes nothing.
  await expect.poll(() => funding.unchangedUntil(before)).toBeGreaterThan(before + 1000);
  const index = names.role("funding", "live");
  await client.indices.flush({ index, force: true });
  const flushed = performance.now();
  await expect.poll(() => funding.unchangedUntil(before)).toBeGreaterThan(flushed + 500);

  await queues.send([round(2, "rnd-1", "co-1", { amount_usd: 7_000_000 })]);
  // Counting investors refreshes the index once more.
  await queues.investorsSettled();
  await pause(1000);
  await expect.poll(() => funding.unchangedUntil(before)).toBe(before);
  const after = performance.now();
  await expect.poll(() => funding.unchangedUntil(after)).toBeGreaterThan(after);

  // As after a restart: what was written and not refreshed becomes visible.
  await client.indices.close({ index });
  await client.indices.open({ index, wait_for_active_shards: 1 });
  await expect.poll(() => funding.unchangedUntil(after)).toBe(after);
});

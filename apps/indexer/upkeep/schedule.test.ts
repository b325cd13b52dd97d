import { expect, test } from "vitest";
import { schedule } from "./schedule.ts";

test("the schedule has the stored job names with their periods in ms, and one due pass and verification at a time", async () => {
  const planned: unknown[] = [];
  const queue = (of: string) => ({
    upsertJobScheduler: async (id: string, { every }: { every: number }, { name }: { name: string }) =>
      void planned.push([of, id, name, every]),
    setGlobalConcurrency: async (jobs: number) => void planned.push([of, "at once", jobs]),
  });
  await schedule({ upkeep: queue("upkeep"), due: queue("due"), verify: queue("verify") });
  expect(planned).toEqual([
    ["upkeep", "maintain", "maintain", 30_000],
    ["upkeep", "purge", "purge", 21_600_000],
    ["due", "due", "due", 30_000],
    ["due", "at once", 1],
    ["verify", "at once", 1],
  ]);
});

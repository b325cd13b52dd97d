import { indexNames } from "@tranche/shared/engines/search/index-names";
import { expect, test } from "vitest";
import { createUpkeep } from "./create-upkeep.ts";

test("after a loss what readers see comes first: backups that can't be put back hold nothing up", async () => {
  const steps: string[] = [];
  const queue = { upsertJobScheduler: async () => {}, setGlobalConcurrency: async () => {} };
  const pipeline = {
    names: indexNames("t"),
    announcer: { announceEverything: async () => void steps.push("announce") },
    namespace: "t",
    tickets: { lostNumbers: () => (steps.push("publish"), []), take: async () => 7 },
    redis: { hset: async (_: string, moves: object) => void steps.push(JSON.stringify(moves)) },
  };
  type Arguments = Parameters<typeof createUpkeep>;
  const upkeep = createUpkeep(
    pipeline as unknown as Arguments[0],
    { upkeep: queue, due: queue, verify: queue } as unknown as Arguments[1],
    {} as Arguments[2],
    { restoreBackups: () => Promise.reject(new Error("refused")) } as Arguments[3],
  );
  await expect(upkeep.recover()).rejects.toThrow("refused");
  expect(steps).toEqual(["announce", "publish", '{"funding":7,"companies":7}']);
});

import { expect, test } from "vitest";
import { maintain } from "./maintain.ts";

async function stepsOf(isRebuilding: boolean): Promise<string[]> {
  const done: string[] = [];
  const note = (step: string) => async () => void done.push(step);
  await maintain({
    isRebuilding: async () => isRebuilding,
    resumeRebuild: note("resume"),
    retire: note("retire"),
    prune: note("prune"),
    resumeNoted: note("investors"),
    closeRuns: note("close runs"),
  });
  return done;
}

test("a running rebuild is resumed and no index is deleted", async () => {
  expect(await stepsOf(true)).toEqual(["resume", "investors", "close runs"]);
});

test("without a running rebuild, old indices are retired and then deleted", async () => {
  expect(await stepsOf(false)).toEqual(["retire", "prune", "investors", "close runs"]);
});

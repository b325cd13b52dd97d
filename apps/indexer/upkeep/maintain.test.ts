import { expect, test } from "vitest";
import { maintain } from "./maintain.ts";

async function stepsOf(isRebuilding: boolean, isFeedDue = false): Promise<string[]> {
  const done: string[] = [];
  const note = (step: string) => async () => void done.push(step);
  await maintain({
    publishOrphans: note("orphans"),
    publishLost: note("lost"),
    isFeedDue: async () => isFeedDue,
    isRebuilding: async () => isRebuilding,
    resumeRebuild: note("resume"),
    retire: note("retire"),
    prune: note("prune"),
    resumePending: note("investors"),
    closeRuns: note("close runs"),
  });
  return done;
}

test("a running rebuild is resumed and no index is deleted", async () => {
  expect(await stepsOf(true)).toEqual(["orphans", "lost", "resume", "investors", "close runs"]);
});

test("without a running rebuild, old indices are retired and then deleted", async () => {
  expect(await stepsOf(false)).toEqual(["orphans", "lost", "retire", "prune", "investors", "close runs"]);
});

test("while the feed has differences between indices to publish, none is retired", async () => {
  expect(await stepsOf(false, true)).toEqual(["orphans", "lost", "resume", "investors", "close runs"]);
});

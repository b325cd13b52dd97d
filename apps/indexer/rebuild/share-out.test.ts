import type { Client } from "@elastic/elasticsearch";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { expect, test, vi } from "vitest";
import { LeftToOthers, shareOut, SliceFailed } from "./share-out.ts";
import type { Slice, SliceStore } from "./slice-store.ts";
import { COUNTED } from "./sliced-work.ts";

const WORK = {
  name: "verify-companies",
  type: "company" as const,
  pageSize: 1,
  ...COUNTED,
  open: async () => undefined,
};

/** Shares out work whose two slices are as given, at each look the next ones. */
function shared(looks: (Slice<number> | undefined)[][], until = new AbortController().signal) {
  const plan = { run: "r", bounds: ["m"] };
  const slices = {
    plan: async () => plan,
    latestPlan: async () => plan,
    readAll: async () => (looks.length > 1 ? looks.shift()! : looks[0]!),
  } as unknown as SliceStore;
  const queue = { addBulk: vi.fn(async () => []), getJobCountByTypes: async () => 0 };
  const parts = { client: {} as Client, names: indexNames("any"), slices, queue, until };
  return { parts, queue };
}

const slice = (change: Partial<Slice<number>>): Slice<number> => ({
  run: "r",
  cursor: null,
  done: false,
  found: 0,
  ...change,
});
const DONE = slice({ done: true, found: 2 });

test("the pass waits for slices that fail, and gives their sum when all are done", async () => {
  const { parts, queue } = shared([
    [DONE, undefined],
    [DONE, slice({ failures: 4, reason: "no" })],
    [DONE, DONE],
  ]);
  expect(await shareOut(parts, WORK, { run: "r" }, async () => {})).toBe(4);
  expect(queue.addBulk).toHaveBeenCalledOnce();
});

test("the pass ends with the reason of a slice that keeps failing, unless it may try for ever", async () => {
  const failing = [DONE, slice({ failures: 5, reason: "the engine refused a page" })];
  const { parts } = shared([failing]);
  const ended = shareOut(parts, WORK, { run: "r" }, async () => {});
  await expect(ended).rejects.toThrow(SliceFailed);
  await expect(ended).rejects.toThrow("failed 5 times: the engine refused a page");
  const patient = shared([failing, [DONE, DONE]]);
  const options = { run: "r", tries: Number.POSITIVE_INFINITY };
  expect(await shareOut(patient.parts, WORK, options, async () => {})).toBe(4);
});

test("the pass is interrupted when the process shuts down", async () => {
  const ending = new AbortController();
  const { parts } = shared([[DONE, undefined]], ending.signal);
  const waiting = shareOut(parts, WORK, { run: "r" }, async () => ending.abort());
  await expect(waiting).rejects.toThrow(LeftToOthers);
});

import { expect, test } from "vitest";
import { runSlice } from "./run-slice.ts";
import type { ReadSlice, Slice, SliceStore } from "./slice-store.ts";
import { COUNTED, type Pages } from "./sliced-work.ts";

const RUN = { run: "r", slice: 0 };

/** A store with one slice. */
function oneSlice() {
  let saved: Slice<number> = { run: "r", cursor: null, done: false, found: 0 };
  const read = (): ReadSlice<number> => ({ slice: saved, id: "slice", guard: { op_type: "create" } });
  const store = {
    latestPlan: async () => ({ run: "r", bounds: [] }),
    read: async () => read(),
    save: async (_: unknown, change: Partial<Slice<number>>) => {
      saved = { ...saved, ...change };
      return read();
    },
  } as unknown as SliceStore;
  return { store, saved: () => saved };
}

function work(pages: Pages<number>) {
  return { name: "work", type: "company" as const, pageSize: 1, ...COUNTED, open: async () => pages };
}

const never = new AbortController().signal;

test("a page that fails is begun again, and how often it failed and why is saved with the slice", async () => {
  const { store, saved } = oneSlice();
  const failing = work(async function* ({ after }) {
    if (after === null) yield { last: "a", found: 1 };
    throw new Error("page b is broken");
  });
  for (const failures of [1, 2, 3]) {
    await expect(runSlice(store, failing, RUN, never)).rejects.toThrow("page b is broken");
    expect(saved()).toMatchObject({ cursor: "a", found: 1, done: false, failures, reason: "page b is broken" });
  }
});

test("a failure at another place is the first one there", async () => {
  const { store, saved } = oneSlice();
  const failing = work(async function* ({ after }) {
    yield { last: `${after ?? ""}a`, found: 1 };
    throw new Error("broken");
  });
  for (const cursor of ["a", "aa"]) {
    await expect(runSlice(store, failing, RUN, never)).rejects.toThrow("broken");
    expect(saved()).toMatchObject({ cursor, failures: 1 });
  }
});

test("a page up to the end of all ids ends the slice, so nothing in it is counted again", async () => {
  const { store, saved } = oneSlice();
  const ending = new AbortController();
  const pages = work(async function* () {
    yield { last: "a", found: 1 };
    ending.abort();
    yield { last: null, found: 2 };
  });
  expect(await runSlice(store, pages, RUN, ending.signal)).toBe("done");
  expect(saved()).toMatchObject({ done: true, found: 3 });
});

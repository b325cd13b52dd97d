import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { gathered } from "./gathered.ts";

/** Work that notes what it was given, takes a moment, and fails on what is bad. */
function create(options: { lanes: number; maxItems: number }) {
  const batches: string[] = [];
  const submit = gathered(async (items: readonly string[]) => {
    batches.push(items.join(""));
    await pause(5);
    if (items.includes("!")) throw new Error("bad");
    return items.length;
  }, options);
  return { batches, submit: (text: string) => submit([...text]) };
}

describe("jobs", () => {
  test("that wait are worked on as one batch, the first at once", async () => {
    const { batches, submit } = create({ lanes: 1, maxItems: 100 });
    const results = await Promise.all(["a", "bc", "d", "e"].map(submit));
    expect(batches).toEqual(["a", "bcde"]);
    expect(results).toEqual([1, 4, 4, 4]);
  });

  test("are gathered no further than the bound, and one above it is a batch of its own", async () => {
    const { batches, submit } = create({ lanes: 1, maxItems: 3 });
    await Promise.all(["a", "bc", "d", "efgh", "i"].map(submit));
    expect(batches).toEqual(["a", "bcd", "efgh", "i"]);
  });

  test("are worked on by as many lanes as there are", async () => {
    const { batches, submit } = create({ lanes: 2, maxItems: 100 });
    await Promise.all(["a", "b", "c", "d"].map(submit));
    expect(batches).toEqual(["a", "b", "cd"]);
  });

  test("do not fail for another one of their batch", async () => {
    const { submit } = create({ lanes: 1, maxItems: 100 });
    const results = await Promise.allSettled(["a", "b", "!", "c"].map(submit));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });

  test("that come later are taken, too", async () => {
    const { batches, submit } = create({ lanes: 1, maxItems: 100 });
    await submit("a");
    await submit("b");
    expect(batches).toEqual(["a", "b"]);
  });
});

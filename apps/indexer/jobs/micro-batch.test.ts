import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { microBatch, type MicroBatching } from "./micro-batch.ts";

/** Work that records its batches, takes 5 ms, and fails on `!`. */
function create(options: Partial<MicroBatching>) {
  const batches: string[] = [];
  const ages: number[] = [];
  const submit = microBatch(
    async (items: readonly string[], { since }) => {
      ages.push(since);
      batches.push(items.join(""));
      await pause(5);
      if (items.includes("!")) throw new Error("bad");
      return items.length;
    },
    { concurrency: 1, maxItems: 100, maxJobs: 100, paceMs: 0, ...options },
  );
  return {
    batches,
    ages,
    submit: (text: string) => submit(Array.from(text), 0),
    submitOf: (since: number, text: string) => submit(Array.from(text), since),
    submitUnless: (lost: AbortSignal, text: string) => submit(Array.from(text), 0, lost),
  };
}

describe("jobs", () => {
  test("that wait run as one batch; the first one runs at once", async () => {
    const { batches, submit } = create({});
    const results = await Promise.all(["a", "bc", "d", "e"].map(submit));
    expect(batches).toEqual(["a", "bcde"]);
    expect(results).toEqual([1, 4, 4, 4]);
  });

  test("are combined up to the most items of a batch, and a larger job is a batch of its own", async () => {
    const { batches, submit } = create({ maxItems: 3 });
    await Promise.all(["a", "bc", "d", "efgh", "i"].map(submit));
    expect(batches).toEqual(["a", "bcd", "efgh", "i"]);
  });

  test("run in as many batches at once as may run", async () => {
    const { batches, submit } = create({ concurrency: 2, maxItems: 2 });
    const results = ["ab", "cd", "ef", "gh"].map(submit);
    expect(batches).toEqual(["ab", "cd"]);
    await Promise.all(results);
    expect(batches).toEqual(["ab", "cd", "ef", "gh"]);
  });

  test("that are lost while they wait do not run; one that is lost later does", async () => {
    const { batches, submit, submitUnless } = create({});
    const losing = new AbortController();
    const results = Promise.allSettled([
      submitUnless(losing.signal, "a"),
      submitUnless(losing.signal, "b"),
      submit("c"),
    ]);
    losing.abort();
    expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(batches).toEqual(["a", "c"]);
  });

  test("that trickle in wait for the running batch", async () => {
    const { batches, submit } = create({ concurrency: 2 });
    await Promise.all(["a", "b", "c", "d"].map(submit));
    expect(batches).toEqual(["a", "bcd"]);
  });

  test("that trickle in wait for the pace, unless they fill a batch", async () => {
    const { batches, submit } = create({ concurrency: 2, maxItems: 3, paceMs: 60 });
    const first = ["a", "b"].map(submit);
    await pause(20);
    const second = ["c"].map(submit);
    expect(batches).toEqual(["a"]);
    await Promise.all([...first, ...second]);
    expect(batches).toEqual(["a", "bc"]);
    await Promise.all(["d", "ef", "g"].map(submit));
    expect(batches).toEqual(["a", "bc", "def", "g"]);
  });

  test("do not wait for the pace when no other job can come", async () => {
    const { batches, submit } = create({ concurrency: 2, maxJobs: 3, paceMs: 1000 });
    await Promise.all(["a", "b", "c"].map(submit));
    expect(batches).toEqual(["a", "bc"]);
  });

  test("do not fail because of another job in their batch", async () => {
    const { submit } = create({});
    const results = await Promise.allSettled(["a", "b", "!", "c"].map(submit));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });

  test("are as old as the oldest of their batch, and as themselves when they run again", async () => {
    const { batches, ages, submitOf } = create({});
    await Promise.allSettled([submitOf(5, "a"), submitOf(9, "b"), submitOf(7, "!"), submitOf(8, "c")]);
    expect(batches).toEqual(["a", "b!c", "b", "!", "c"]);
    expect(ages).toEqual([5, 7, 9, 7, 8]);
  });

  test("that come later run, too", async () => {
    const { batches, submit } = create({});
    await submit("a");
    await submit("b");
    expect(batches).toEqual(["a", "b"]);
  });
});

test("a batch is done in the context of its first job, whoever begins it", async () => {
  const trace = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const first = Promise.withResolvers<void>();
  const submit = microBatch<string, void>(
    async () => {
      seen.push(trace.getStore());
      if (seen.length === 1) await first.promise;
    },
    { concurrency: 1, maxItems: 10, maxJobs: 10, paceMs: 1 },
  );
  const jobs = ["a", "b", "c"].map((name) => trace.run(name, () => submit([name], 0)));
  first.resolve();
  await Promise.all(jobs);
  expect(seen).toEqual(["a", "b"]);
});

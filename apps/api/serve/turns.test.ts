import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

const never = new AbortController().signal;

/** Turns whose work ends when a test says so. */
function create() {
  const turns = createTurns();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, left = never) =>
    turns.inTurn(name[0]!, left, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string) => {
    await begins();
    ends.get(name)!();
    await begins();
  };
  return { turns, begun, ask, end };
}
const begins = () => new Promise((resolve) => setImmediate(resolve));

test("two at a time for all accounts together, one account after the other", async () => {
  const { begun, ask, end } = create();
  const asked = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"].map((name) => ask(name));
  await begins();
  expect(begun).toEqual(["a1", "a2"]);
  // a1 makes way for b, which has none running; then it is the turn of a and c, and so on.
  const order = ["a1", "a2", "b1", "a3", "c1", "b2", "a4"];
  for (const name of order) await end(name);
  expect(begun).toEqual(order);
  expect(await Promise.all(asked)).toEqual(["a1", "a2", "a3", "a4", "b1", "b2", "c1"]);
});

test("the fifth of an account is refused at once, and there is room again after an end", async () => {
  const { turns, ask, end } = create();
  const asked = ["a1", "a2", "a3", "a4"].map((name) => ask(name));
  expect(turns.hasRoom("a")).toBe(false);
  expect(() => ask("a5")).toThrow(
    expect.objectContaining({ code: "rate_limited", status: 429, headers: { "Retry-After": "1" } }),
  );
  expect(turns.hasRoom("b")).toBe(true);
  await end("a1");
  asked.push(ask("a5"));
  for (const name of ["a2", "a3", "a4", "a5"]) await end(name);
  expect(await Promise.all(asked)).toHaveLength(5);
});

test("work in line waits where work in a turn is refused, and counts as the account's own", async () => {
  const { turns, begun, ask, end } = create();
  const asked = ["a1", "a2", "a3", "a4"].map((name) => ask(name));
  const inLine = turns.inLine("a", never, async () => begun.push("a5"));
  for (const name of ["a1", "a2", "a3", "a4"]) await end(name);
  await Promise.all([...asked, inLine]);
  expect(begun).toEqual(["a1", "a2", "a3", "a4", "a5"]);

  const more = Array.from({ length: 20 }, () => turns.inLine("a", never, begins));
  expect(turns.hasRoom("a")).toBe(false);
  expect(() => turns.inLine("a", never, begins)).toThrow("An account may have 20 pages from an offset above 500");
  await Promise.all(more);
  expect(turns.hasRoom("a")).toBe(true);
});

test("a request that leaves while it waits makes room and never begins; work that fails ends its turn", async () => {
  const { turns, begun, ask, end } = create();
  const first = [ask("a1"), ask("b1")];
  const leaving = new AbortController();
  const left = ask("a2", leaving.signal);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: "request_timeout" });
  await expect(ask("a2", AbortSignal.abort())).rejects.toMatchObject({ code: "request_timeout" });
  await end("a1");
  await expect(turns.inTurn("a", never, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  const last = ask("c1");
  await end("b1");
  await end("c1");
  expect(begun).toEqual(["a1", "b1", "c1"]);
  expect(await Promise.all([...first, last])).toEqual(["a1", "b1", "c1"]);
});

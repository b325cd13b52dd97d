import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLackingFields } from "./lacking-fields.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An index whose lacking fields can be replaced, and how often it was looked at. */
function indexOf(...fields: string[]) {
  const index = { fields: fields as string[] | undefined, looks: 0 };
  const lacking = createLackingFields(async () => {
    index.looks++;
    if (!index.fields) throw new Error("away");
    return new Set(index.fields);
  }, 10_000);
  const of = async (number?: number) => [
    ...(await lacking.of("funding", number === undefined ? undefined : { number })),
  ];
  return { index, of };
}

test("an index is looked at before the first answer, and one that can't be looked at has no answer", async () => {
  const { index, of } = indexOf("amount_usd");
  index.fields = undefined;
  await expect(of()).rejects.toThrow("away");
  index.fields = ["amount_usd"];
  expect(await of()).toEqual(["amount_usd"]);
});

test("after a swap, which begins another generation, the new index is looked at", async () => {
  const { index, of } = indexOf();
  expect(await of(1)).toEqual([]);
  index.fields = ["amount_usd"];
  expect(await of(2)).toEqual(["amount_usd"]);
  // A request that read the generation before the swap.
  expect(await of(1)).toEqual(["amount_usd"]);
  expect(index.looks).toBe(2);
});

test("without generations it is looked at once in a second, with the same one every 10 s", async () => {
  const { index, of } = indexOf();
  for (const number of [undefined, undefined, 1, 1]) await of(number);
  expect(index.looks).toBe(2);
  vi.advanceTimersByTime(1000);
  await of(1);
  expect(index.looks).toBe(2);
  await of();
  expect(index.looks).toBe(3);
  vi.advanceTimersByTime(10_000);
  await of(1);
  expect(index.looks).toBe(4);
});

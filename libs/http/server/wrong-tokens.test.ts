import { expect, test } from "vitest";
import { createWrongTokens } from "./wrong-tokens.ts";

const noted = async (wrong: ReturnType<typeof createWrongTokens>, address: string, times: number) => {
  const waits: (number | undefined)[] = [];
  for (let n = 0; n < times; n++) waits.push(await wrong.note(address));
  return waits;
};

test("ten of an address are answered, others have to wait; another address does not", async () => {
  const told: string[] = [];
  const wrong = createWrongTokens((address) => told.push(address));
  const waits = await noted(wrong, "203.0.113.7", 12);
  expect(waits.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => undefined));
  for (const wait of waits.slice(10)) expect(wait).toBeGreaterThan(500);
  expect(await wrong.note("203.0.113.8")).toBeUndefined();
  expect(told).toHaveLength(11);
});

test("a hundred of all addresses are answered", async () => {
  const wrong = createWrongTokens();
  const answered: number[] = [];
  for (let n = 0; n < 30; n++) {
    const waits = await noted(wrong, `203.0.113.${n}`, 9);
    answered.push(waits.filter((wait) => wait === undefined).length);
  }
  expect(answered.reduce((sum, count) => sum + count)).toBe(100);
});

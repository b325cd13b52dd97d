import { expect, test } from "vitest";
import { PageError } from "@tranche/http/errors/page-error";
import { type CountWrongToken, createCountWrongToken } from "./wrong-tokens.ts";

/** The seconds that each of several wrong tokens has to wait; undefined for those that are answered. */
async function waits(count: CountWrongToken, address: string, times: number): Promise<(number | undefined)[]> {
  const all: (number | undefined)[] = [];
  for (let n = 0; n < times; n++) {
    const refused = await count(address).then(
      () => undefined,
      (error: PageError) => error,
    );
    expect(refused?.code).toBe(refused && "too_many_requests");
    all.push(refused && Number(refused.headers["Retry-After"]));
  }
  return all;
}

test("ten of an address are answered, others have to wait; another address does not", async () => {
  const told: unknown[] = [];
  const count = createCountWrongToken({ warn: (line: unknown) => void told.push(line) });
  const [answered, refused] = [await waits(count, "203.0.113.7", 10), await waits(count, "203.0.113.7", 2)];
  expect(answered).toEqual(Array.from({ length: 10 }, () => undefined));
  for (const wait of refused) expect(wait).toBeGreaterThan(500);
  expect(await waits(count, "203.0.113.8", 1)).toEqual([undefined]);
  expect(told).toHaveLength(11);
});

test("a hundred of all addresses are answered", async () => {
  const count = createCountWrongToken({ warn: () => {} });
  const answered: number[] = [];
  for (let n = 0; n < 30; n++) {
    const ofAddress = await waits(count, `203.0.113.${n}`, 9);
    answered.push(ofAddress.filter((wait) => wait === undefined).length);
  }
  expect(answered.reduce((sum, each) => sum + each)).toBe(100);
});

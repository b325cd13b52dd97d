import { expect, test } from "vitest";
import { settled } from "./settled.ts";

/** A clock that notices a restart when it gives its first number, and settles after some looks. */
function clock(looks: number) {
  let [numbers, left] = [0, looks];
  return {
    takeVersions: async (count: number) => (numbers += count),
    isSettling: () => numbers > 0 && left-- > 0,
    numbers: () => numbers,
  };
}

test("work on all documents waits until a restart has settled, and takes a number before each look", async () => {
  const tickets = clock(2);
  await settled(tickets);
  expect(tickets.isSettling()).toBe(false);
  expect(tickets.numbers()).toBe(3);
});

test("work on all documents does not wait when its process ends", async () => {
  const tickets = clock(Number.POSITIVE_INFINITY);
  await settled(tickets, AbortSignal.abort());
  expect(tickets.numbers()).toBe(1);
});

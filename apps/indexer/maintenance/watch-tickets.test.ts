import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchTickets } from "./watch-tickets.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a ticket is taken every 5 s, also after a failure, which is logged", async () => {
  let taken = 0;
  const errors: object[] = [];
  const away = new Error("away");
  const take = async () => {
    taken++;
    if (taken === 2) throw away;
  };
  void watchTickets(take, { error: (details) => void errors.push(details) });
  await vi.advanceTimersByTimeAsync(4999);
  expect(taken).toBe(1);
  await vi.advanceTimersByTimeAsync(10_001);
  expect(taken).toBe(4);
  expect(errors).toEqual([{ err: away }]);
});

test("no second ticket is asked for while the first one is not answered", async () => {
  let asked = 0;
  const take = () => {
    asked++;
    return new Promise(() => {});
  };
  void watchTickets(take, { error: () => {} });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
});

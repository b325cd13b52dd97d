import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchTickets } from "./watch-tickets.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a ticket is taken and noted every second, also after a failure, which is logged", async () => {
  const steps: string[] = [];
  const errors: object[] = [];
  const away = new Error("away");
  const take = async () => {
    steps.push("take");
    if (steps.length === 3) throw away;
  };
  const saveClock = async () => void steps.push("save");
  void watchTickets({ take, saveClock }, { error: (details) => void errors.push(details) });
  await vi.advanceTimersByTimeAsync(999);
  expect(steps).toEqual(["take", "save"]);
  await vi.advanceTimersByTimeAsync(1001);
  expect(steps).toEqual(["take", "save", "take", "take", "save"]);
  expect(errors).toEqual([{ err: away }]);
});

test("no second ticket is asked for while the first one is not answered", async () => {
  let asked = 0;
  const take = () => {
    asked++;
    return new Promise(() => {});
  };
  void watchTickets({ take, saveClock: async () => {} }, { error: () => {} });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
});

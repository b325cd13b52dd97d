import { expect, test } from "vitest";
import { dayOf } from "@tranche/shared/domain/time/day";
import type { HistoryRound } from "./history.ts";
import { orderRounds, roundsUntil, totals } from "./rounds.ts";

const round = (id: string, announced_date: string, amount_usd: number | null): HistoryRound => ({
  id,
  announced_date,
  deal_type: "seed",
  amount_usd,
  investors: [],
});

test("rounds are ordered by date, amount with undisclosed lowest, id", () => {
  const ordered = [
    round("z", "2024-01-01", 9),
    round("y", "2024-01-02", null),
    round("x", "2024-01-02", 0),
    round("a", "2024-01-02", 5),
    round("b", "2024-01-02", 5),
  ];
  expect(orderRounds(ordered.toReversed())).toEqual(ordered);
});

test("totals leave out future rounds and undisclosed amounts", () => {
  const rounds = [round("b", "2024-01-02", null), round("a", "2024-01-01", 0.1), round("c", "2024-01-03", 7)];
  expect(totals(roundsUntil(rounds, dayOf("2024-01-02")))).toMatchObject({
    total_raised_usd: 0.1,
    round_count: 2,
    latest: { id: "b" },
  });
  expect(totals(roundsUntil(rounds, dayOf("2024-01-03")))).toMatchObject({
    total_raised_usd: 7.1,
    round_count: 3,
    latest: { id: "c" },
  });
  expect(totals(roundsUntil(rounds, dayOf("2023-12-31")))).toEqual({
    total_raised_usd: null,
    round_count: 0,
    latest: null,
  });
});

test("the total is null only when no amount is disclosed, and exact to the cent", () => {
  expect(totals([round("a", "2024-01-01", null)]).total_raised_usd).toBeNull();
  expect(totals([round("a", "2024-01-01", 0)]).total_raised_usd).toBe(0);
  expect(totals([0.1, 0.2, 0.3].map((x) => round("a", "2024-01-01", x))).total_raised_usd).toBe(0.6);
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DEAL_TYPES } from "@tranche/shared/domain/vocabulary/deal-types";
import { INGESTED_KEYS } from "@tranche/shared/domain/signals/catalogue";
import { isLive } from "@tranche/shared/domain/signals/instance";
import { bestInstances, scoreOf } from "@tranche/shared/domain/signals/score";
import { dayOf, isoDay, type Day } from "@tranche/shared/domain/time/day";
import { nextChangeDay } from "./change.ts";
import { deriveInstances } from "./derive.ts";
import type { CompanyHistory } from "./history.ts";
import { roundsUntil, totals } from "./rounds.ts";

const today = dayOf("2025-06-01");
const empty: CompanyHistory = { rounds: [], snapshots: [], ingested: [], stack: null };

/** All that is shown of a company on a day. */
function shown(history: CompanyHistory, day: Day): string {
  const instances = deriveInstances(history, day);
  const live = bestInstances(instances, day);
  const newest = live.map(({ key }) => {
    const days = instances.filter((each) => each.key === key && isLive(each, day)).map((each) => each.detected_at);
    return days.toSorted().at(-1);
  });
  return JSON.stringify([live, newest, scoreOf(live, day), totals(roundsUntil(history.rounds, day))]);
}

function firstDifference(history: CompanyHistory, until: Day): Day | null {
  const now = shown(history, today);
  for (let day = today + 1; day <= until; day++) if (shown(history, day) !== now) return day;
  return null;
}

const date = (least: number, most: number): fc.Arbitrary<string> =>
  fc.integer({ min: least, max: most }).map((days) => isoDay(today + days));
const technologies = fc.subarray(["TypeScript", "React", "Kubernetes", "PyTorch", "Perl", "jQuery"]);
const histories: fc.Arbitrary<CompanyHistory> = fc.record({
  rounds: fc.array(
    fc.record({
      id: fc.constantFrom("a", "b", "c", "d"),
      announced_date: date(-800, 40),
      deal_type: fc.constantFrom(...DEAL_TYPES),
      amount_usd: fc.option(fc.constantFrom(0, 1_000_000, 9_000_000, 60_000_000, 400_000_000)),
      investors: fc.array(fc.record({ id: fc.constantFrom("i", "j", "k"), is_lead: fc.boolean() }), { maxLength: 2 }),
    }),
    { maxLength: 4 },
  ),
  snapshots: fc.uniqueArray(
    fc.record({
      observed_at: date(-400, 30),
      technologies: fc.option(technologies),
      headcount: fc.option(fc.integer({ min: 0, max: 60 })),
    }),
    { maxLength: 4, selector: (snapshot) => snapshot.observed_at },
  ),
  ingested: fc.array(
    fc.record({
      id: fc.constantFrom("s", "t"),
      key: fc.constantFrom(...INGESTED_KEYS),
      detected_at: date(-300, 30),
      expires_at: fc.option(date(-100, 200)),
      strength: fc.option(fc.constantFrom(0, 0.1, 0.5, 1)),
      evidence_url: fc.constant(null),
    }),
    { maxLength: 3 },
  ),
  stack: fc.option(fc.record({ value: technologies, observed_at: date(-400, 20) })),
});

test("the next change is the first day on which anything shown differs", () => {
  // The last thing that can happen to a round announced in 40 days is the end of its runway window.
  const until = today + 40 + 732;
  fc.assert(
    fc.property(histories, (history) => {
      expect(nextChangeDay(history, today)).toBe(firstDifference(history, until));
    }),
    { seed: 7, numRuns: 400 },
  );
});

test("the next change is the same whatever order things arrived in", () => {
  fc.assert(
    fc.property(histories, (history) => {
      const ids = new Map(history.rounds.map((round, i) => [round, `${round.id}${i}`]));
      const rounds = history.rounds.map((round) => ({ ...round, id: ids.get(round)! }));
      const other = {
        ...history,
        rounds: rounds.toReversed(),
        snapshots: history.snapshots.toReversed(),
        ingested: history.ingested.toReversed(),
      };
      expect(shown(other, today)).toBe(shown({ ...history, rounds }, today));
      expect(nextChangeDay(other, today)).toBe(nextChangeDay({ ...history, rounds }, today));
    }),
    { seed: 11, numRuns: 400 },
  );
});

test("the next change is null when nothing will ever change", () => {
  expect(nextChangeDay(empty, today)).toBeNull();
  expect(nextChangeDay({ ...empty, stack: { value: ["PyTorch"], observed_at: isoDay(today) } }, today)).toBeNull();
  const round = { id: "r", announced_date: "2013-10-01", deal_type: "seed", amount_usd: null, investors: [] };
  expect(nextChangeDay({ ...empty, rounds: [round] }, today)).toBeNull();
});

test("the next change is the day a window opens or closes when no score drifts", () => {
  const seed = (daysAgo: number): CompanyHistory => ({
    ...empty,
    rounds: [{ id: "r", announced_date: isoDay(today - daysAgo), deal_type: "seed", amount_usd: null, investors: [] }],
  });
  expect(nextChangeDay(seed(400), today)).toBe(today + 50);
  expect(nextChangeDay(seed(450), today)).toBe(today + 281);
  expect(nextChangeDay(seed(0), today)).toBe(today + 1);
});

test("days of change end for a signal that fades and never expires", () => {
  const hiring = { id: "s", key: "hiring", detected_at: isoDay(today), evidence_url: null, expires_at: "9999-12-31" };
  const history = { ...empty, ingested: [{ ...hiring, strength: 0.01 }] };
  expect(nextChangeDay(history, today)).toBe(dayOf("9999-12-31"));
});

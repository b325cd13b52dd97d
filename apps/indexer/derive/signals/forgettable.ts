import { signalDefinition } from "@tranche/shared/domain/signals/catalogue";
import { dayOf, type Day } from "@tranche/shared/domain/time/day";
import { baseOf } from "./headcount.ts";
import type { Snapshot } from "@tranche/shared/domain/records/snapshots";
import { seenUntil } from "./snapshots.ts";

/** 13 months: older snapshots are kept only where they are needed. */
export const KEPT_DAYS = 397;

/**
 * The snapshots of a company, at most one per day, that no longer affect its signals on that day or later. All snapshots of the last
 * 13 months are kept. Of the older ones these are kept: the last stack and the last headcount, because the next change is relative to
 * them; and the base of the last headcount before the life of a headcount signal, because it shows whether a change had begun by then.
 */
export function forgettable<T extends Snapshot>(snapshots: readonly T[], today: Day): T[] {
  const before = today - KEPT_DAYS;
  const stacks = seenUntil(snapshots, before - 1, (snapshot) => snapshot.technologies);
  const headcounts = seenUntil(snapshots, today, (snapshot) => snapshot.headcount);
  const outlived = headcounts.findLastIndex(({ day }) => day <= today - signalDefinition("headcount_growth").lifeDays!);
  const needed = new Set([
    stacks.at(-1)?.day,
    headcounts.findLast(({ day }) => day < before)?.day,
    outlived < 0 ? undefined : baseOf(headcounts, outlived).day,
  ]);
  return snapshots.filter(({ observed_at }) => dayOf(observed_at) < before && !needed.has(dayOf(observed_at)));
}

import type { Writer } from "./redis-history.ts";

/** A process that lives comes back within seconds, as soon as it takes a number. */
const AWAY_FOR_MS = 60 * 60_000;
/** Processes that are killed again and again leave one each. */
const MOST = 100;
/** Stands for those that are too many. */
const OTHERS = "others";

/** The writers with one that begins, or comes back after Redis was replaced. */
export function withWriter(writers: readonly Writer[], id: string): Writer[] {
  const all = [...without(writers, id), { id }];
  return all.length <= MOST ? all : [{ id: OTHERS }, ...without(all, OTHERS).slice(1 - MOST)];
}

/** The writers without one that has ended in order. */
export const without = (writers: readonly Writer[], id: string): Writer[] => writers.filter((each) => each.id !== id);

/** Whether a writer is known, and not missed. */
export const isAmong = (writers: readonly Writer[], id: string): boolean =>
  writers.some((each) => each.id === id && each.missed === undefined);

/** Whether every writer has ended in order, or is away for so long that it is dead and what it may have lost was repaired. */
export const haveEnded = (writers: readonly Writer[], now: number): boolean =>
  writers.every((each) => isAway(each, now));

/** The writers when Redis was replaced: those that live come back. */
export const missed = (writers: readonly Writer[], now: number): Writer[] =>
  writers
    .filter((each) => !isAway(each, now))
    .map(({ id, missed: since }) => ({ id, missed: since ?? new Date(now).toISOString() }));

const isAway = ({ missed: since }: Writer, now: number): boolean =>
  since !== undefined && now - Date.parse(since) > AWAY_FOR_MS;

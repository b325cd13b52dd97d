import { type Params, withParams } from "../request/params.ts";
import type { Period, Periods } from "./periods.ts";
import { type Stats, statsQuery, type Total } from "./stats.ts";

/** The figures of the period before: its months, and the totals of both up to the same day. */
export type Before = { months: Stats; totals: { now: Total; before: Total } };

/** By the months of the period itself: each request costs quota, so none is sent again while those stay. */
const known = new WeakMap<Stats, Before>();

/** The figures to compare `months` with, those of a period by `params`. `read` requests statistics of rounds. */
export async function readBefore(
  params: Params,
  { now, before, soFar }: Periods,
  months: Stats,
  read: (query: Params) => Promise<Stats>,
): Promise<Before> {
  const found = known.get(months);
  if (found) return found;
  const of = (period: Period, more: Params = []) => read([...withParams(params, period), ...more]);
  const earlier = await of(before, statsQuery("month"));
  const hasEnded = now.to === soFar.now.to;
  // One after another, because an account may have few of them at once.
  const totals = hasEnded
    ? { now: months.total, before: earlier.total }
    : { now: (await of(soFar.now)).total, before: (await of(soFar.before)).total };
  const made = { months: earlier, totals };
  known.set(months, made);
  return made;
}

import { FIRST_STAGE } from "../../engines/search/index-names.ts";
import { dayOfTime, isoDay } from "../../domain/time/day.ts";
import type { FeedModel } from "./keys.ts";
import type { FeedState } from "./state.ts";

/** The horizons that were stored on a day (UTC, real time), in the order of their times. */
export type HorizonsOfDay = {
  kind: typeof HORIZONS_KIND;
  /** The day, `YYYY-MM-DD`. */
  id: string;
  /** Horizons of another epoch are void, as positions are. */
  epoch: string;
  /** When the horizons were seen, in seconds of the day. */
  seconds: number[];
  horizons: Record<FeedModel, number[]>;
  /** The moves at the last horizon. Without a later move nothing new can be found above its horizon. */
  moves: Record<FeedModel, number>;
};

/** `time`: ms. No document will appear with a ticket at or below `horizon`, and all of them were visible at that time. */
export type StoredHorizon = { time: number; horizon: number };

export const HORIZONS_KIND = "feed-horizons";
/** The id of the document of a day. */
export const horizonsId = (day: string): string => `${HORIZONS_KIND}-${day}`;
/** Positions are good for 30 days. The newest horizon before a time may be of the day before. */
export const KEPT_DAYS = 32;

type Seen = Pick<FeedState, "epoch" | "horizon" | "moves">;

/**
 * The horizons of a day with the horizons that were seen by `now` (ms): one per minute. Undefined when nothing is to be stored, because this
 * minute has one or nothing has moved since the last one.
 */
export function withHorizons(
  stored: HorizonsOfDay | undefined,
  now: number,
  seen: Record<FeedModel, Seen>,
): HorizonsOfDay | undefined {
  const { epoch } = seen.funding;
  // The state of a model was read while the epoch ended.
  if (seen.companies.epoch !== epoch) return undefined;
  const id = isoDay(dayOfTime(now));
  const second = Math.ceil((now - Date.parse(id)) / 1000);
  const last = stored?.epoch === epoch ? stored : undefined;
  if (last && (minuteOf(second) <= minuteOf(last.seconds.at(-1)!) || !FIRST_STAGE.some(hasMoved))) return undefined;
  const horizons = (model: FeedModel) => [...(last?.horizons[model] ?? []), seen[model].horizon];
  return {
    kind: HORIZONS_KIND,
    id,
    epoch,
    seconds: [...(last?.seconds ?? []), second],
    horizons: { funding: horizons("funding"), companies: horizons("companies") },
    moves: { funding: seen.funding.moves, companies: seen.companies.moves },
  };

  function hasMoved(model: FeedModel): boolean {
    return last!.moves[model] !== seen[model].moves;
  }
}

const minuteOf = (second: number): number => Math.floor(second / 60);

/** The horizons of a day for a read model, the newest first. */
export function newestFirst({ id, seconds, horizons }: HorizonsOfDay, model: FeedModel): StoredHorizon[] {
  const midnight = Date.parse(id);
  const stored = seconds.map((second, n) => ({ time: midnight + second * 1000, horizon: horizons[model][n]! }));
  return stored.toReversed();
}

import type { Client } from "@elastic/elasticsearch";
import { afterCopy, type FeedPosition } from "@tranche/read-models/feed/position";
import {
  horizonsId,
  type HorizonsOfDay,
  newestFirst,
  type StoredHorizon,
} from "@tranche/shared/protocol/feed/horizons-of-day";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import type { FeedState } from "@tranche/shared/protocol/feed/state";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import { shareByKey } from "@tranche/shared/process/share-by-key";
import { ApiError } from "../errors/api-error.ts";
import { engineError } from "../errors/engine-error.ts";
import type { Search } from "../search/search.ts";

const KEPT_MS = 30 * 86_400_000;
/** For clocks that differ, and for lists that were read a moment before they were shown. */
const MARGIN_MS = 60_000;

/** Positions of the feed by time. */
export type PositionsByTime = {
  /**
   * The position from which everything comes that changed from a time on (ms). Throws `position_expired` when no horizon was stored for
   * that time.
   */
  at(model: FeedModel, time: number, state: FeedState): Promise<PositionByTime>;
};

/** `all`: everything that there is comes, as from the start; and what has gone since, because the caller may have a copy of that time. */
type PositionByTime = { position: FeedPosition; all: boolean };

/** Notes and the oldest change are cached for `keptMs`, so that many callers share a look-up. `now`: real time in ms. */
export function createPositionsByTime(parts: {
  client: Client;
  names: Pick<IndexNames, "control">;
  search: Search;
  now: () => number;
  keptMs: number;
}): PositionsByTime {
  const { client, names, search, now, keptMs } = parts;
  const kept = { ms: keptMs, keys: 100 };
  const days = shareByKey<HorizonsOfDay | undefined>(kept);
  const oldest = shareByKey<number | undefined>(kept);

  return {
    async at(model, time, state) {
      const earliest = now() - KEPT_MS;
      if (time < earliest) throw expired("The time in since is more than 30 days ago.");
      const horizons = horizonsBackFrom(time, earliest, async (day) => {
        const id = horizonsId(day);
        const found = await days(id, () => readDay(client, names.control, id));
        return found?.epoch === state.epoch ? newestFirst(found, model) : [];
      });
      const stored = await horizonAt(time, horizons);
      if (!stored) throw expired(UNKNOWN);
      // Tickets may run ahead of time, and `changed_at` with them: a change with a later one counts as well.
      const changed = Math.min(stored.horizon, time * 1000 - 1);
      const first = await oldest(state.index, () => oldestChange(search, state.index));
      return {
        position: afterCopy({ epoch: state.epoch, horizon: changed }, state),
        all: first !== undefined && changed < first,
      };
    },
  };
}

const UNKNOWN =
  "The position of the time in since is not known: the data was restored from a backup or replaced after it, or the service has stored positions only since a later time.";
const expired = (why: string) =>
  new ApiError("position_expired", `${why} Begin again with since=start, or leave since out to begin now.`);

/** The newest horizon that is older than a time by the margin. Otherwise the oldest of those that are not later than it. */
export async function horizonAt(
  time: number,
  horizons: AsyncIterable<StoredHorizon>,
): Promise<StoredHorizon | undefined> {
  let found: StoredHorizon | undefined;
  for await (const stored of horizons) {
    if (stored.time <= time) found = stored;
    if (stored.time <= time - MARGIN_MS) break;
  }
  return found;
}

/** The horizons of the day of a time, and of the days before it as far as they may be of use. */
async function* horizonsBackFrom(
  time: number,
  earliest: number,
  horizonsOf: (day: string) => Promise<StoredHorizon[]>,
): AsyncGenerator<StoredHorizon> {
  // The horizon before the earliest time may be of the day before.
  for (let day = dayOfTime(time); day >= dayOfTime(earliest) - 1; day--) yield* await horizonsOf(isoDay(day));
}

async function readDay(client: Client, index: string, id: string): Promise<HorizonsOfDay | undefined> {
  try {
    const found = await client.get<HorizonsOfDay>({ index, id }, { ignore: [404] });
    return found.found ? found._source : undefined;
  } catch (error) {
    throw engineError(error);
  }
}

/** The lowest ticket of a change in an index, of documents that are gone as well. Undefined when it is empty. */
async function oldestChange(search: Search, index: string): Promise<number | undefined> {
  const { sorted } = await search<object>(index, {
    size: 1,
    sort: [{ changed: "asc" }],
    track_total_hits: false,
    _source: ["changed"],
  });
  return sorted[0] && Number(sorted[0][0]);
}

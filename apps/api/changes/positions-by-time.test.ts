import type { Client } from "@elastic/elasticsearch";
import { AFTER_ALL_IDS } from "@tranche/read-models/feed/position";
import { horizonsId, type HorizonsOfDay } from "@tranche/shared/protocol/feed/horizons-of-day";
import type { FeedState } from "@tranche/shared/protocol/feed/state";
import { describe, expect, test } from "vitest";
import type { Search } from "../search/search.ts";
import { createPositionsByTime, horizonAt } from "./positions-by-time.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = Date.parse("2026-03-14T12:00:00Z");
const at = (time: string) => Date.parse(time);
const NOTES = [300, 200, 100].map((seconds) => ({ time: seconds * 1000, horizon: seconds }));

describe("the horizon at a time", () => {
  const found = async (seconds: number) =>
    (
      await horizonAt(
        seconds * 1000,
        (async function* () {
          yield* NOTES;
        })(),
      )
    )?.horizon;

  test("is the newest that is a minute older", async () => {
    expect(await Promise.all([1000, 360, 359.9, 260, 259.9, 160].map(found))).toEqual([300, 300, 200, 200, 100, 100]);
  });

  test("is the oldest where none is a minute older, and none before all of them", async () => {
    expect(await Promise.all([159, 100, 99.9].map(found))).toEqual([100, 100, undefined]);
  });
});

/** The notes of days, each with its times and horizons in µs; and the oldest change. */
function positions(days: { epoch?: string; notes: Record<string, number> }[], oldest: number | undefined = 1) {
  const asked = { days: 0, searches: 0 };
  const documents = new Map(
    days.map(({ epoch = "e", notes }): [string, HorizonsOfDay] => {
      const id = Object.keys(notes)[0]!.slice(0, 10);
      const horizons = Object.values(notes);
      const seconds = Object.keys(notes).map((time) => (at(time) - at(id)) / 1000);
      const document = { kind: "feed-horizons" as const, id, epoch, seconds };
      return [
        horizonsId(id),
        { ...document, horizons: { funding: horizons, companies: [] }, moves: { funding: 0, companies: 0 } },
      ];
    }),
  );
  const client = {
    get: async ({ id }: { id: string }) => (asked.days++, { found: documents.has(id), _source: documents.get(id) }),
  } as unknown as Client;
  const search = (async () => (asked.searches++, { sorted: oldest === undefined ? [] : [[oldest]] })) as unknown;
  const byTime = createPositionsByTime({
    client,
    names: { control: "t-control" },
    search: search as Search,
    now: () => NOW,
    keptMs: 10_000,
  });
  const state: FeedState = { epoch: "e", index: "i", horizon: 900, clock: 1000, purged: 0, moves: 0 };
  const found = (time: string | number) => byTime.at("funding", new Date(time).getTime(), state);
  return { asked, found, position: async (time: string | number) => (await found(time)).position };
}
const expired = { code: "position_expired" };

test("a position is at the stored horizon, and its reader may know all that was created until now", async () => {
  const { position } = positions([{ notes: { "2026-03-14T09:00:00Z": 100, "2026-03-14T10:00:00Z": 200 } }]);
  const there = { epoch: "e", changed: 100, asof: 100, id: AFTER_ALL_IDS, known: 1000 + 60e6 };
  expect(await position("2026-03-14T09:30:00Z")).toEqual(there);
});

test("while no indexer ran, the older note counts, also of a day before", async () => {
  const { position } = positions([{ notes: { "2026-03-11T09:00:00Z": 100 } }]);
  expect(await position("2026-03-14T09:30:00Z")).toMatchObject({ changed: 100 });
});

test("where tickets run ahead of time, what says that it changed later comes as well", async () => {
  const time = at("2026-03-14T09:30:00Z");
  const { position } = positions([{ notes: { "2026-03-14T09:00:00Z": time * 1000 + 5 } }]);
  expect(await position(time)).toMatchObject({ changed: time * 1000 - 1, asof: time * 1000 - 1 });
});

test("before the oldest change all comes, and what a copy of that time had and is gone", async () => {
  const { found } = positions([{ notes: { "2026-03-14T09:00:00Z": 100, "2026-03-14T10:00:00Z": 200 } }], 150);
  expect(await found("2026-03-14T09:30:00Z")).toMatchObject({ all: true, position: { changed: 100, asof: 100 } });
  expect(await found("2026-03-14T10:30:00Z")).toMatchObject({ all: false, position: { changed: 200 } });
});

test("at the oldest change it is not all, and neither is it while there is nothing", async () => {
  for (const oldest of [100, undefined]) {
    const { found } = positions([{ notes: { "2026-03-14T09:00:00Z": 100 } }], oldest);
    expect(await found("2026-03-14T09:30:00Z")).toMatchObject({ all: false, position: { changed: 100 } });
  }
});

test("older than 30 days it is expired", async () => {
  const { position } = positions([{ notes: { "2026-02-11T00:00:00Z": 100 } }]);
  expect(await position(NOW - 30 * DAY)).toMatchObject({ changed: 100 });
  await expect(position(NOW - 30 * DAY - 1)).rejects.toMatchObject(expired);
});

test("before the epoch it is expired, and so it is where nothing was ever noted", async () => {
  const { position } = positions([
    { epoch: "before", notes: { "2026-03-13T09:00:00Z": 100 } },
    { notes: { "2026-03-14T09:00:00Z": 200 } },
  ]);
  const begin = at("2026-03-14T09:00:00Z");
  await expect(position(begin - 1)).rejects.toMatchObject(expired);
  expect(await position(begin)).toMatchObject({ changed: 200 });
  await expect(positions([]).position(NOW - MINUTE)).rejects.toMatchObject(expired);
});

test("callers share the look-ups of a moment", async () => {
  const { position, asked } = positions([{ notes: { "2026-03-14T09:00:00Z": 100 } }]);
  await Promise.all([10, 11, 12].map((hour) => position(`2026-03-14T${hour}:00:00Z`)));
  expect(asked).toEqual({ days: 1, searches: 1 });
});

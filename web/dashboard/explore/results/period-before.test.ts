import { expect, test } from "vitest";
import { type Params, valueOf } from "../request/params.ts";
import { readBefore } from "./period-before.ts";
import { periodsOf } from "./periods.ts";
import type { Stats } from "./stats.ts";

const stats = (count: number): Stats => ({ data: [], total: { count } });

/** Reads what is before a year on a day, and notes the periods that are asked for. */
function reader(today: string) {
  const params: Params = [
    ["country", "DE"],
    ["from", "2013-01-01"],
    ["to", "2013-12-31"],
  ];
  const asked: string[] = [];
  const read = async (query: Params) => {
    asked.push(`${valueOf(query, "country")} ${valueOf(query, "from")} ${valueOf(query, "to")}`);
    return stats(asked.length);
  };
  return { asked, before: (months: Stats) => readBefore(params, periodsOf(params, today)!, months, read) };
}

test("a period that has ended costs one request, and none when its charts are shown again", async () => {
  const { asked, before } = reader("2020-01-01");
  const months = stats(7);
  const first = await before(months);
  expect(first.totals).toEqual({ now: { count: 7 }, before: { count: 1 } });
  expect(await before(months)).toBe(first);
  expect(asked).toEqual(["DE 2012-01-01 2012-12-31"]);
  // The months were read anew, so there may be others before them, too.
  await before(stats(7));
  expect(asked.length).toBe(2);
});

test("one that has not ended costs three, once", async () => {
  const { asked, before } = reader("2013-10-31");
  const months = stats(7);
  const totals = { now: { count: 2 }, before: { count: 3 } };
  expect((await before(months)).totals).toEqual(totals);
  expect((await before(months)).totals).toEqual(totals);
  expect(asked).toEqual(["DE 2012-01-01 2012-12-31", "DE 2013-01-01 2013-10-31", "DE 2012-01-01 2012-10-31"]);
});

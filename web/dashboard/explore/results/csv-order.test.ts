import { expect, test } from "vitest";
import { hasOrder, sortedCsv } from "./csv-order.ts";

const csv = (...rows: string[]) => rows.map((row) => `${row}\r\n`).join("");
const ROUNDS = csv(
  "id,announced_date,amount_usd,company_name",
  'r1,2013-05-01,900,"Zoë, ""Inc"""',
  "r2,2012-01-01,,émile",
  'r3,2013-05-01,10000,"Two\r\nlines"',
  "r4,2013-06-01,900,Abel",
);
const idsBy = (sort: string) => sortedCsv(ROUNDS, "funding", sort)!.match(/^r\d/gm)!.join(" ");

test.each([
  ["announced_date_desc", "r4 r1 r3 r2"],
  ["announced_date_asc", "r2 r1 r3 r4"],
  ["amount_desc", "r3 r1 r4 r2"],
  ["amount_asc", "r1 r4 r3 r2"],
  ["name_asc", "r4 r2 r3 r1"],
])("%s puts the rows as %s", (sort, ids) => expect(idsBy(sort)).toBe(ids));

test("every byte of every row stays", () => {
  const sorted = sortedCsv(ROUNDS, "funding", "amount_desc")!;
  expect(sorted.length).toBe(ROUNDS.length);
  expect(sorted.startsWith("id,announced_date,amount_usd,company_name\r\nr3,")).toBe(true);
  expect(sorted).toContain('r3,2013-05-01,10000,"Two\r\nlines"\r\n');
});

test("the amount of a signal is that of the latest round", () => {
  const signals = csv("company_id,latest_amount_usd,company_name", "a,1,A", "b,2,B");
  expect(sortedCsv(signals, "signals", "amount_desc")).toBe(
    csv("company_id,latest_amount_usd,company_name", "b,2,B", "a,1,A"),
  );
});

test("an order without a column is none", () => {
  expect(sortedCsv(ROUNDS, "funding", "signal_score_desc")).toBeNull();
  expect(sortedCsv(ROUNDS, "funding", "nonsense")).toBeNull();
  expect([hasOrder("companies", "headcount_desc"), hasOrder("signals", "headcount_desc")]).toEqual([true, false]);
});

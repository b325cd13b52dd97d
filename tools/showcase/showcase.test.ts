import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { INGESTED_KEYS } from "@tranche/shared/domain/signals/catalogue";
import { parseRecord } from "@tranche/shared/domain/records/parse";
import { keyOf } from "@tranche/shared/domain/text/key";
import { dayOfTime } from "@tranche/shared/domain/time/day";
import { DEAL_TYPES, dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { describe, expect, test } from "vitest";
import { SAMPLE_NOW, sampleFiles, SHOWCASE_FILE } from "../../infra/start/sample.ts";
import { showcase } from "./showcase.ts";

const TODAY = dayOfTime(Date.parse(SAMPLE_NOW));
const records = showcase(TODAY);
const of = <T extends (typeof records)[number]["type"]>(type: T) =>
  records.filter((record): record is Extract<(typeof records)[number], { type: T }> => record.type === type);

function readRecords(file: string): { type: string; id?: string; name?: string }[] {
  const text = gunzipSync(readFileSync(new URL(`../../${file}`, import.meta.url))).toString();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; id?: string; name?: string });
}

test("the committed file is what the generator makes", () => {
  expect(readRecords(SHOWCASE_FILE)).toEqual(records);
});

test("every record is one that an ingest takes, without a note", () => {
  for (const record of records) {
    const outcome = parseRecord(record, { dealTypes: dealTypes(), today: "2013-10-31" });
    expect([record, outcome.ok && outcome.record.notes]).toEqual([record, []]);
  }
});

describe("the showcase has", () => {
  test("300 companies of 30 countries", () => {
    expect(new Set(of("company").map((company) => company.id)).size).toBe(300);
    expect(new Set(of("company").map((company) => company.name)).size).toBe(300);
    expect(new Set(of("company").map((company) => company.country)).size).toBe(30);
  });
  test("every deal type", () => {
    expect(new Set(of("round").map((round) => round.deal_type))).toEqual(new Set(DEAL_TYPES));
  });
  test("rounds in each of the 36 months before the sample's day, each with a lead investor", () => {
    const rounds = of("round");
    const months = new Set(rounds.map((round) => round.announced_date.slice(0, 7)));
    expect(months.size).toBeGreaterThanOrEqual(36);
    expect(rounds.every((round) => round.investors.some((investor) => investor.is_lead))).toBe(true);
    expect(rounds.every((round) => round.announced_date > "2010-10-31" && round.announced_date < "2013-10-31")).toBe(
      true,
    );
  });
  test("every signal that is ingested", () => {
    expect(new Set(of("signal").map((signal) => signal.key))).toEqual(new Set(INGESTED_KEYS));
  });
});

test("nobody can take it for real: domains under .example, no source, and no name of a real record", () => {
  expect(of("company").every((company) => company.domain.endsWith(".example"))).toBe(true);
  expect(of("round").some((round) => "source_url" in round)).toBe(false);
  const real = new Set(sampleFiles("real").flatMap((file) => readRecords(file).map(({ name }) => keyOf(name ?? ""))));
  const named = [...of("company"), ...of("investor")];
  expect(named.filter(({ name }) => real.has(keyOf(name))).map(({ name }) => name)).toEqual([]);
});

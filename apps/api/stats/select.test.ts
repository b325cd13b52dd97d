import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { FUNDING_DIMENSIONS, SIGNALS_DIMENSIONS } from "@tranche/read-models/parameters/dimensions";
import { fundingParameters } from "@tranche/read-models/parameters/funding";
import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import { readParameters } from "@tranche/read-models/parameters/read";
import { signalsParameters } from "@tranche/read-models/parameters/signals";
import { selectionOf } from "./select.ts";

const FUNDING: ParameterTable = fundingParameters(dealTypes());
const SIGNALS: ParameterTable = signalsParameters(dealTypes());
const D = FUNDING_DIMENSIONS;

test.each([
  ["", [D.country], ["US"], { country: "US" }],
  ["country=US,DE", [D.country], ["DE"], { country: "DE" }],
  ["", [D.deal_type], ["series_a"], { deal_types: "series_a" }],
  ["", [D.investor], ["inv-a, b"], { investors: '"inv-a, b"' }],
  ["", [D.quarter], ["2013-Q1"], { from: "2013-01-01", to: "2013-03-31" }],
  ["from=2013-02-03", [D.quarter], ["2013-Q1"], { from: "2013-02-03", to: "2013-03-31" }],
  ["from=2013-02-03&to=2013-02-10", [D.year], ["2013"], { from: "2013-02-03", to: "2013-02-10" }],
  ["", [D.year, D.month], ["2013", "2013-05"], { from: "2013-05-01", to: "2013-05-31" }],
  ["", [D.amount_band], ["1m_5m"], { min_amount_usd: "1000000", max_amount_usd: "4999999.99" }],
  ["", [D.amount_band], ["over_500m"], { min_amount_usd: "500000000" }],
  [
    "min_amount_usd=2000000.5",
    [D.amount_band],
    ["1m_5m"],
    { min_amount_usd: "2000000.5", max_amount_usd: "4999999.99" },
  ],
  ["", [D.country, D.year], ["US", "2013"], { country: "US", from: "2013-01-01", to: "2013-12-31" }],
])("with %s, groups are selected by parameters of the list", (query, by, key, selected) => {
  expect(selectionOf(FUNDING, readParameters(FUNDING, query).values, by, key)).toEqual(selected);
});

test.each([
  ["a missing value", "", [D.country], [null]],
  ["a pair with a missing value", "", [D.country, D.year], [null, "2013"]],
  ["an id that is too long for a list", "", [D.company], ["x".repeat(501)]],
  ["a deal type that this process does not know", "", [D.deal_type], ["revenue_based"]],
  ["a technology without a letter or a digit", "", [SIGNALS_DIMENSIONS.technology], [""]],
  ["a second investor beside those that are asked for", "investors=sequoia", [D.investor], ["inv-b"]],
])("no parameters select %s", (_, query, by, key) => {
  expect(selectionOf(FUNDING, readParameters(FUNDING, query).values, by, key)).toBeNull();
});

test("of the scores only the highest ones can be selected, because the list has no highest score", () => {
  const by = [SIGNALS_DIMENSIONS.score_band];
  expect(selectionOf(SIGNALS, {}, by, ["90"])).toEqual({ min_signal_score: "90" });
  expect(selectionOf(SIGNALS, {}, by, ["80"])).toBeNull();
  const { values } = readParameters(SIGNALS, "min_signal_score=95");
  expect(selectionOf(SIGNALS, values, by, ["90"])).toEqual({ min_signal_score: "95" });
});

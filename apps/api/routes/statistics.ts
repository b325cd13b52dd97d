import { FUNDING_DIMENSIONS, SIGNALS_DIMENSIONS } from "@tranche/read-models/parameters/dimensions";
import { dollars, type Member } from "../present/stats.ts";
import { approximateFigures, FUNDING_FIGURES, type FundingDetails } from "../stats/funding.ts";
import type { Tally } from "../stats/group.ts";
import { SIGNALS_FIGURES, type SignalsDetails } from "../stats/signals.ts";
import type { Statistics } from "./stats.ts";

const sum = ({ disclosed, cents }: Tally): string => (disclosed === 0 ? "null" : dollars(cents));
const average = ({ disclosed, cents }: Tally): string =>
  disclosed === 0 ? "null" : dollars(rounded(cents, BigInt(disclosed)));
/** A quotient of two whole numbers that are not negative, rounded half up. */
const rounded = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);

/** `GET /funding/stats`. */
export const FUNDING_STATISTICS: Statistics<FundingDetails> = {
  model: "funding",
  dimensions: FUNDING_DIMENSIONS,
  figures: FUNDING_FIGURES,
  present({ details, ...tally }) {
    const { companies = 0, medianCents = null, largest = null } = details ?? {};
    return [
      ["companies", String(companies)],
      ["disclosed", String(tally.disclosed)],
      ["total_amount_usd", sum(tally)],
      ["average_amount_usd", average(tally)],
      ["median_amount_usd", medianCents === null ? "null" : String(medianCents / 100)],
      ["max_amount_usd", String(largest)],
    ];
  },
  presentRest: ({ groups, count, disclosed, ...rest }): Member[] => [
    ["groups", String(groups)],
    ["count", String(count)],
    ["disclosed", String(disclosed)],
    ["total_amount_usd", sum({ count, disclosed, ...rest })],
  ],
  approximate: approximateFigures,
};

/** `GET /signals/stats`. */
export const SIGNALS_STATISTICS: Statistics<SignalsDetails> = {
  model: "companies",
  dimensions: SIGNALS_DIMENSIONS,
  figures: SIGNALS_FIGURES,
  present: ({ details, ...tally }) => [
    [
      "average_score",
      details && tally.count > 0 ? String(Math.round((100 * details.scores) / tally.count) / 100) : "null",
    ],
    ["total_raised_usd", sum(tally)],
  ],
  presentRest: ({ groups, count, ...rest }): Member[] => [
    ["groups", String(groups)],
    ["count", String(count)],
    ["total_raised_usd", sum({ count, ...rest })],
  ],
  approximate: () => ({}),
};

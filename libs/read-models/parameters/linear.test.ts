import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { FUNDING_DIMENSIONS } from "./dimensions.ts";
import { fundingParameters } from "./funding.ts";
import { investorsParameters } from "./investors.ts";
import { NAME_SEARCH_PARAMETERS } from "./name-search.ts";
import type { ParameterTable } from "./parameter.ts";
import { readParameters } from "./read.ts";
import { companiesParameters } from "./companies.ts";
import { signalsParameters } from "./signals.ts";
import { statsParameters } from "./stats.ts";

const BOUND_MS = 5;
/** Other processes take the machine away at times: a slow parameter is slow each time. */
const TRIES = 10;
const TIMEOUT_MS = 60_000;
const BYTES = 8 * 1024;

/** All of ASCII, blanks of other kinds, marks, letters of two to four bytes, and one that is 18 letters in normal form. */
const CHARACTERS = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...Array.from("\u{85}\u{a0}\u{1680}\u{2003}\u{2028}\u{3000}\u{feff}\u{301}\u{200d}’éßİ中ﷺ𝔸😀"),
];
const TABLES: Record<string, ParameterTable> = {
  funding: fundingParameters(dealTypes()),
  signals: signalsParameters(dealTypes()),
  investors: investorsParameters(dealTypes()),
  companies: companiesParameters(dealTypes()),
  "funding/stats": statsParameters({}, FUNDING_DIMENSIONS, "FundingDimension"),
  search: NAME_SEARCH_PARAMETERS,
};

const escaped = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&");
const repeated = (text: string) => text.repeat(Math.floor(BYTES / text.length));
/** As Node gives an address: a character for each byte. */
const raw = (character: string) => Buffer.from(character).toString("latin1");
const forms = (character: string) => {
  const value = repeated(raw(character));
  return [value, `a${value}b`, repeated(escaped(character))];
};

function fastest(table: ParameterTable, query: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && best >= BOUND_MS; tries++) {
    const start = performance.now();
    readParameters(table, query);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

test.each(Object.entries(TABLES))(
  "8 KiB of one character take under 5 ms in each parameter of /%s",
  (_, table) => {
    const slow: string[] = [];
    for (const name of [...Object.keys(table), "unknown"]) {
      for (const character of CHARACTERS) {
        for (const value of forms(character)) {
          const ms = fastest(table, `${name}=${value}`);
          if (ms >= BOUND_MS) slow.push(`${name}=${value.slice(0, 12)}… took ${ms.toFixed(1)} ms`);
        }
      }
    }
    expect(slow).toEqual([]);
  },
  TIMEOUT_MS,
);

test.each(Object.entries(TABLES))(
  "8 KiB of one character take under 5 ms as the query of /%s",
  (_, table) => {
    const queries = CHARACTERS.flatMap(forms);
    const slow = queries.filter((query) => fastest(table, query) >= BOUND_MS).map((query) => query.slice(0, 12));
    expect(slow).toEqual([]);
  },
  TIMEOUT_MS,
);

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEAL_TYPES, dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { fundingParameters } from "./funding.ts";
import { filtersApplied, readParameters, writeQueryString } from "./read.ts";
import { signalsParameters } from "./signals.ts";

const funding = fundingParameters(dealTypes());
const signals = signalsParameters(dealTypes());
const codes = (raw: string) =>
  readParameters(funding, raw).problems.map(({ parameter, code }) => `${parameter}: ${code}`);

describe("reading", () => {
  test("gives typed values of what is right", () => {
    expect(readParameters(funding, "country=us&from=2013-01-01&min_amount_usd=5.25&limit=20&sort=amount_desc")).toEqual(
      {
        values: { country: ["US"], from: "2013-01-01", min_amount_usd: 5.25, limit: 20, sort: "amount_desc" },
        problems: [],
      },
    );
  });

  test("reports all problems at once", () => {
    expect(codes("sort=newest&from=2024-02-30&limit=ten&colour=red&offset=1&offset=1&to=")).toEqual([
      "offset: repeated_parameter",
      "to: malformed_value",
      "sort: unknown_value",
      "from: malformed_value",
      "limit: malformed_value",
      "colour: unknown_parameter",
    ]);
  });

  test("joins repeated lists in order, and refuses to repeat anything else", () => {
    expect(readParameters(funding, "country=US&limit=1&country=!DE,fr&country=GB")).toEqual({
      values: { country: ["US", { not: "DE" }, "FR", "GB"], limit: 1 },
      problems: [],
    });
    expect(codes("sort=amount_desc&sort=amount_asc&limit=1&limit=2&disclosed=true&disclosed=true")).toEqual([
      "sort: repeated_parameter",
      "limit: repeated_parameter",
      "disclosed: repeated_parameter",
    ]);
  });

  test("reports crossed bounds beside other problems, and names the lower one", () => {
    expect(codes("from=2024-01-02&to=2024-01-01&min_amount_usd=2&max_amount_usd=1&limit=x")).toEqual([
      "limit: malformed_value",
      "from: crossed_bounds",
      "min_amount_usd: crossed_bounds",
    ]);
    expect(codes("from=2024-01-01&to=2024-01-01&min_amount_usd=1&max_amount_usd=1")).toEqual([]);
  });

  test("suggests the name of a parameter that is misspelt, and lists them", () => {
    expect(readParameters(funding, "Countri=US").problems[0]).toMatchObject({
      parameter: "Countri",
      suggestion: "country",
      allowed: Object.keys(funding),
    });
  });

  test.each(["country[]=US", "signal=just_raised", "toString=1", "__proto__=1", "deal_type=seed"])(
    "refuses %s, which it does not have",
    (raw) => {
      expect(readParameters(funding, raw).problems).toMatchObject([
        { parameter: raw.split("=")[0], code: "unknown_parameter" },
      ]);
    },
  );

  test("never shows the value of a parameter that is unknown: it may be a secret", () => {
    expect(JSON.stringify(readParameters(funding, "api_key=trn_secret").problems)).not.toContain("trn_secret");
  });
});

describe("filters_applied", () => {
  test("has what was sent, normalised, and the order; neither the page nor the format", () => {
    const { values } = readParameters(
      signals,
      "limit=5&offset=5&format=flat&country=uk&signal_match=any&signal=hiring",
    );
    expect(filtersApplied(signals, values, "name_asc")).toEqual({
      signal: ["hiring"],
      signal_match: "any",
      country: ["GB"],
      sort: "name_asc",
    });
  });

  test("shows excluded items with their `!`, and in quotes what would be read otherwise", () => {
    const raw = 'country=!us&investors="!x","-5","""q""","a, b",!"-5 a",!"c, d"&disclosed=True';
    const { values, problems } = readParameters(funding, raw.replaceAll('"', "%22").replaceAll(" ", "%20"));
    expect(problems).toEqual([]);
    expect(filtersApplied(funding, values, "amount_desc")).toEqual({
      country: ["!US"],
      investors: ['"!x"', '"-5"', '"""q"""', "a, b", '!"-5 a"', '!"c, d"'],
      disclosed: true,
      sort: "amount_desc",
    });
  });
});

const subsetOf = (words: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 5 });
/** Some are excluded. */
const itemsOf = (words: readonly string[]) =>
  subsetOf(words).chain((some) =>
    fc
      .array(fc.boolean(), { minLength: some.length, maxLength: some.length })
      .map((plain) => some.map((word, i) => (plain[i] ? word : { not: word }))),
  );
const name = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
  .map((text) => `${text.replace(/\p{Cc}/gu, "")}x`);
const day = fc
  .date({ min: new Date("1960-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const dollars = fc.integer({ min: 0, max: 1e14 }).map((cents) => cents / 100);

test("what is written is read again as the same values", () => {
  const request = fc.record(
    {
      country: itemsOf(["US", "GB", "DE", "IN"]),
      deal_types: itemsOf(DEAL_TYPES),
      investors: fc.array(
        fc.tuple(fc.constantFrom("", "!", "-", '"'), name).map(([sign, text]) => (sign + text).trim()),
        { minLength: 1, maxLength: 5 },
      ),
      disclosed: fc.boolean(),
      from: day,
      min_amount_usd: dollars,
      sort: fc.constantFrom("amount_asc", "amount_desc"),
      limit: fc.integer({ min: 1, max: 1e9 }),
      offset: fc.integer({ min: 0, max: 1e14 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(request, (values) => {
      const first = readParameters(funding, writeQueryString(funding, values));
      expect(first.problems).toEqual([]);
      expect(readParameters(funding, writeQueryString(funding, first.values))).toEqual(first);
      const { investors: _, ...exact } = values;
      expect(first.values).toMatchObject(exact);
    }),
  );
});

test("every example of a parameter is one that it takes", () => {
  for (const [parameter, row] of Object.entries({ ...funding, ...signals })) {
    expect(row.kind.safeDecode(row.example), parameter).toMatchObject({ success: true });
  }
});

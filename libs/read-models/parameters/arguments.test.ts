import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { type Arguments, asArgument, writeArguments } from "./arguments.ts";
import { fundingParameters } from "./funding.ts";
import { filtersApplied, readParameters } from "./read.ts";

const TABLE = fundingParameters(dealTypes());
/** What a table reads from arguments. */
function read(given: Arguments) {
  const { query, problems } = writeArguments(TABLE, given);
  const { values, problems: ofQuery } = readParameters(TABLE, query);
  const all = [...problems, ...ofQuery].map((problem) => asArgument(TABLE, problem));
  return { values, messages: all.map(({ message, hint }) => [message, hint].join(" ").trim()) };
}
const valuesOf = (given: Arguments) => {
  const { values, messages } = read(given);
  expect(messages).toEqual([]);
  return values;
};

describe("arguments are read as the parameters of the same names", () => {
  test("arrays, single values, numbers, booleans", () => {
    expect(
      valuesOf({ country: ["us", "Germany"], city: "Berlin", min_amount_usd: 2_500_000.5, disclosed: true, limit: 5 }),
    ).toEqual({ country: ["US", "DE"], city: ["Berlin"], min_amount_usd: 2_500_000.5, disclosed: true, limit: 5 });
  });

  test("null is an argument that is not given", () => {
    expect(valuesOf({ country: null, limit: 3 })).toEqual({ limit: 3 });
  });

  test("an item is one item, with commas, quotes, plus signs and blanks", () => {
    expect(valuesOf({ investors: ["Kleiner, Perkins", 'The "A" Fund', '"quoted', "C++", " Accel "] })).toEqual({
      investors: ["Kleiner, Perkins", 'The "A" Fund', '"quoted', "C++", "Accel"],
    });
    expect(valuesOf({ investors: '"a","b"' })).toEqual({ investors: ['"a","b"'] });
  });

  test("an item is excluded by a '!' before it", () => {
    expect(valuesOf({ country: ["!us"], investors: ["!Kleiner, Perkins", "! Accel"] })).toEqual({
      country: [{ not: "US" }],
      investors: [{ not: "Kleiner, Perkins" }, { not: "Accel" }],
    });
  });

  test("filters_applied, sent back, is the same", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((text) => /\p{L}|\p{N}/u.test(text));
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, fc.boolean()), { minLength: 1, maxLength: 5 }), (items) => {
        const sent = items.map(([text, excluded]) => `${excluded ? "!" : ""}"${text.replaceAll('"', '""')}"`);
        const first = read({ investors: sent });
        if (first.messages.length > 0) return;
        const applied = filtersApplied(TABLE, first.values, "amount_desc");
        expect(valuesOf(applied)).toEqual({ ...first.values, sort: "amount_desc" });
      }),
    );
  });
});

describe("what is wrong gets the text of the API:", () => {
  test.each<[string, Arguments, string]>([
    ["an unknown name", { countries: "US" }, "There is no parameter 'countries' here. Use 'country'."],
    ["an unknown value", { country: "Germanyy" }, "Unknown country 'Germanyy'. Did you mean Germany (DE)?"],
    ["a list of a query string", { country: "DE, FR,GB" }, 'Send a list as an array, such as ["DE","FR"].'],
    [
      "the same in an array",
      { deal_types: ["seed,series_a"] },
      'Send a list as an array, such as ["seed","series_a"].',
    ],
    ["several values for one", { from: ["2013-01-01", "2013-02-01"] }, "from is given more than once."],
    ["an empty list", { country: [] }, "The value of country is empty."],
    ["an empty item", { country: [""] }, "The value of country is empty."],
    ["an amount with an exponent", { min_amount_usd: 1e21 }, "min_amount_usd must be US dollars in plain digits"],
    ["a day that does not exist", { from: "2024-02-30" }, "The calendar has no day 2024-02-30."],
    ["an object", { country: { eq: "US" } }, "country must be a list of texts, or one text."],
    ["a list in a list", { country: [["US"]] }, "country must be a list of texts, or one text."],
    ["an object for a number", { limit: {} }, "limit must be one text, number or boolean."],
    [
      "too many items",
      { investors: Array.from({ length: 200 }, (_, n) => `i${n}`) },
      "A list has at most 50 items, this one 200.",
    ],
    ["a control character", { city: "a\u0007b" }, "The value of city has a control character."],
    ["half of a surrogate pair", { city: "a\ud800" }, "The value of city is not valid UTF-8."],
    ["an item with a minus", { country: "-US" }, "To exclude it, write !US"],
  ])("%s", (_, given, message) => {
    expect(read(given).messages.join("\n")).toContain(message);
  });

  test("a long name is repeated in part", () => {
    expect(read({ ["x".repeat(5000)]: 1 }).messages[0]!.length).toBeLessThan(200);
  });
});

import { describe, expect, test } from "vitest";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { fundingParameters } from "./funding.ts";
import { paging } from "./paging.ts";
import { signalsParameters } from "./signals.ts";
import { unknownParameter } from "./unknown-parameter.ts";
import { listsWith, USUAL_NAMES } from "./usual-names.ts";

const funding = fundingParameters(dealTypes());
const signals = signalsParameters(dealTypes());
const rounds = paging({ path: "/x", sort: "y", position: { value: null, id: "z" } });

describe("an unknown parameter", () => {
  test.each([
    ["page", "offset", "Use 'offset', the number of rows to skip: page 3 of 10 rows each is offset=20."],
    ["starting_after", "cursor", "Use 'cursor' with `pagination.next_cursor` of the page before."],
    ["page_token", "cursor", "Use 'cursor' with `pagination.next_cursor` of the page before."],
    ["ending_before", "offset", "Cursors go forward only. Use 'offset' to go back."],
    ["per_page", "limit", "Use 'limit'."],
    ["page_size", "limit", "Use 'limit'."],
    ["size", "limit", "Use 'limit'."],
    ["count", "limit", "Use 'limit'."],
    ["PageSize", "limit", "Use 'limit'."],
    ["order", "sort", "Use 'sort'."],
    ["order_by", "sort", "Use 'sort'."],
    ["sort_by", "sort", "Use 'sort'."],
    ["direction", "sort", "The direction is part of 'sort', such as sort=amount_desc."],
    ["min_amount", "min_amount_usd", "Use 'min_amount_usd'."],
    ["round_type", "deal_types", "Use 'deal_types'."],
    ["since", "from", "Use 'from'."],
    ["country[]", "country", "Write a list as country=a,b."],
    ["name", "companies", "Use 'companies'."],
    ["lead_investor", "lead_investors", "Use 'lead_investors'."],
    ["investors[0]", "investors", "Write a list as investors=a,b."],
  ])("%s points to %s", (name, suggestion, advice) => {
    expect(unknownParameter(funding, name)).toEqual({
      parameter: name,
      code: "unknown_parameter",
      message: `There is no parameter '${name}' here. ${advice}`,
      suggestion,
      allowed: Object.keys(funding),
    });
  });

  test("that is nearly the name of one asks whether that was meant", () => {
    expect(unknownParameter(funding, "Countri")).toMatchObject({
      message: "There is no parameter 'Countri' here.",
      hint: "Did you mean 'country'?",
      suggestion: "country",
    });
    expect(unknownParameter(signals, "deal_types")).toMatchObject({ suggestion: "deal_type" });
  });

  test.each([
    ["signal", "Use 'signal' with /api/v1/signals or /api/v1/companies."],
    ["tech_stack", "Use 'tech_stack' with /api/v1/signals or /api/v1/companies."],
    ["q", "Names are found by /api/v1/search?q=…"],
    ["search", "Names are found by /api/v1/search?q=…"],
    ["format", "`Accept: text/csv`"],
    ["api_key", "Send the key in the header `Authorization: Bearer <API_KEY>`, never in the URL."],
    ["access_token", "Authorization: Bearer"],
    ["key", "Authorization: Bearer"],
    ["fields", "Lists and exports take 'fields'"],
    ["select", "always have all their fields."],
    ["exclude", "write `!` before it, such as country=!US"],
    ["currency", "All amounts are in US dollars."],
    ["groupby", "Use 'group_by' with /api/v1/funding/stats or /api/v1/signals/stats."],
  ])("%s, which nothing here replaces, is explained", (name, advice) => {
    const problem = unknownParameter(funding, name);
    expect(problem.message).toContain(advice);
    expect(problem).not.toHaveProperty("suggestion");
  });

  test("of an endpoint with fewer parameters points to none that it lacks", () => {
    expect(unknownParameter({}, "page").message).toBe(
      "There is no parameter 'page' here. This endpoint takes no parameters.",
    );
    expect(unknownParameter(rounds, "industry").message).toContain(
      "Use 'category' with /api/v1/funding or /api/v1/signals or ",
    );
  });

  test.each(["zzzz", "toString", "__proto__", "constructor[]"])("%s, which nobody uses, is only refused", (name) => {
    expect(unknownParameter(funding, name).message).toBe(`There is no parameter '${name}' here.`);
  });
});

test("every usual name leads to a parameter of a list, or has a text", () => {
  for (const [name, { use = [], otherwise }] of USUAL_NAMES) {
    expect(use.flatMap(listsWith).length > 0 || otherwise !== undefined, name).toBe(true);
  }
});

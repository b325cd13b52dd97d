import { expect, test } from "vitest";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { fundingParameters } from "./funding.ts";
import type { ListItem } from "./kinds/list-item.ts";
import type { OpenVocabulary, ValuesOf } from "./parameter.ts";
import { readParameters } from "./read.ts";

type FundingValues = ValuesOf<ReturnType<typeof fundingParameters>>;

// Checked by tsc: each value has the type of its kind, and each marked line must be an error.
test("values have the types of their kinds", () => {
  const { values } = readParameters(fundingParameters(dealTypes()), "country=US&min_amount_usd=5&limit=2");
  const typed: { country?: ListItem[]; min_amount_usd?: number; limit?: number; sort?: string } = values;
  expect(typed).toEqual({ country: ["US"], min_amount_usd: 5, limit: 2 });

  // @ts-expect-error: a list
  const country: FundingValues["country"] = "US";
  // @ts-expect-error: a number
  const limit: FundingValues["limit"] = "2";
  // @ts-expect-error: not one of the orders
  const sort: FundingValues["sort"] = "amount";
  // @ts-expect-error: the list has no such parameter
  const unknown: unknown = values.contry;
  // @ts-expect-error: documents have no such field
  const field: OpenVocabulary<{ city_key: string }>["field"] = "city";
  expect([country, limit, sort, unknown, field]).toEqual(["US", "2", "amount", undefined, "city"]);
});

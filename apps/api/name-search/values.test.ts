import type { estypes } from "@elastic/elasticsearch";
import type { Changes } from "@tranche/shared/protocol/generations/changes";
import { expect, test } from "vitest";
import { ChangeLog } from "../cache/change-log.ts";
import type { Search } from "../search/search.ts";
import { namedValues } from "./values.ts";

/** Answers with the values of each field in pages, by key. */
function engineWith(values: Readonly<Record<string, readonly string[]>>): Search {
  const search = async (_: string, { aggs }: estypes.SearchRequest) => {
    const pages = Object.entries(aggs!).map(([type, { terms, composite }]) => {
      if (terms) return [type, { buckets: bucketsOf((values[terms.field!] ?? []).slice(0, terms.size), (key) => key) }];
      const { size, sources, after } = composite!;
      const all = values[(sources as { value: { terms: { field: string } } }[])[0]!.value.terms.field]!;
      const from = all.indexOf(String(after!["value"])) + 1;
      return [type, { buckets: bucketsOf(all.slice(from, from + size!), (value) => ({ value })) }];
    });
    return { aggregations: Object.fromEntries(pages) };
  };
  return search as unknown as Search;
}
const bucketsOf = (values: readonly string[], keyOf: (value: string) => unknown) =>
  values.map((value) => ({ key: keyOf(value), doc_count: 1, rounds: { value: 2 } }));

test("values are read page by page, so that a rare one is found among more than 10,000", async () => {
  const cities = Array.from({ length: 20_001 }, (_, n) => `city-${n}`);
  const { value: found } = await namedValues(engineWith({ city_key: cities, country: ["NO"] }), "companies");
  expect(found).toHaveLength(20_002);
  expect(found.at(-2)).toMatchObject({ type: "city", found: { key: "city-20000", rounds: 2, companies: 1 } });
  expect(found.at(-1)).toMatchObject({ type: "country", found: { key: "NO", name: "Norway" } });
  expect(found.filter(({ found: { key } }) => key === "city-10000")).toHaveLength(1);
});

test("counted values stay valid until a company comes or goes, or one changes its values or its number of rounds", async () => {
  const { dependencies } = await namedValues(engineWith({}), "companies");
  const log = new ChangeLog();
  const company = { tech_keys: ["a", "b"], round_count: 1, signal_score: 10 };
  const validAfter = (step: Partial<Changes>) => {
    const before = log.add("before", undefined);
    log.add("after", { redrawn: [], moved: [], begun: 1, ...step });
    return log.isStillValid(before, dependencies!);
  };
  const changed = (is: object) => ({ moved: [{ id: "company", was: company, is: { ...company, ...is } }] });
  expect(validAfter({ redrawn: ["company"] })).toBe(true);
  expect(validAfter(changed({ tech_keys: ["a", "b"], signal_score: 20 }))).toBe(true);
  expect(validAfter(changed({ tech_keys: ["a"] }))).toBe(false);
  expect(validAfter(changed({ round_count: 2 }))).toBe(false);
  expect(validAfter({ moved: [{ id: "company", is: company }] })).toBe(false);
  expect(validAfter({ moved: [{ id: "company", was: company }] })).toBe(false);
});

import type { estypes } from "@elastic/elasticsearch";
import { expect, test } from "vitest";
import type { Search } from "../search/search.ts";
import { namedValues } from "./values.ts";

/** Answers with the values of each field in pages, as a composite aggregation does. */
function engineWith(values: Readonly<Record<string, readonly string[]>>): Search {
  const search = async (_: string, { aggs }: estypes.SearchRequest) => {
    const { size, sources, after } = aggs!["values"]!.composite!;
    const { field } = (sources as { value: { terms: { field: string } } }[])[0]!.value.terms;
    const all = values[field] ?? [];
    const from = after ? all.indexOf(String(after["value"])) + 1 : 0;
    const page = all.slice(from, from + size!);
    const buckets = page.map((value) => ({ key: { value }, doc_count: 1, rounds: { value: 2 } }));
    return { aggregations: { values: { buckets, after_key: { value: page.at(-1) } } } };
  };
  return search as unknown as Search;
}

test("values are read page by page, so that a rare one is found among more than 10,000", async () => {
  const cities = Array.from({ length: 20_001 }, (_, n) => `city-${n}`);
  const found = await namedValues(engineWith({ city_key: cities, country: ["NO"] }), "signals");
  expect(found).toHaveLength(20_002);
  expect(found.at(-2)).toMatchObject({ type: "city", found: { key: "city-20000", rounds: 2, companies: 1 } });
  expect(found.at(-1)).toMatchObject({ type: "country", found: { key: "NO", name: "Norway" } });
});

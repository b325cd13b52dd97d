import type { Arguments } from "@tranche/read-models/parameters/arguments";
import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import type { Context } from "koa";
import { chargeOf } from "../admission/charge.ts";
import type { NamedValue } from "../name-search/values.ts";
import { signalCatalog } from "../present/signal-catalog.ts";
import { dealTypeName } from "../present/vocabulary.ts";
import type { ApiParts } from "../routes/parts.ts";
import { leaving } from "../serve/leaving.ts";
import { readGiven } from "./asked.ts";
import { presentResult } from "./result.ts";
import type { ToolEndpoints } from "./tool-endpoints.ts";
import { describeList, type ListDescription, overviewOf } from "./list-description.ts";
import { TOPIC, type Topic } from "./own-arguments.ts";

/** Says what can be asked: a result in JSON. `publicUrl`: of the service, as the caller reaches it. */
export type Describe = (caller: Context, given: Arguments, publicUrl: string) => Promise<string>;

/** A value that companies have, with its counts. */
type Value = { key: string; name: string; companies: number | null; rounds: number };
type Largest = Readonly<Record<"category" | "country", readonly Value[]>>;

/** How many of them there are in the topic of their own, and in the overview. */
const [LARGEST, IN_OVERVIEW] = [200, 20];
/** The order of the largest changes slowly. */
const KEEP_MS = 60_000;

/** Where the same is over HTTP, or more of it. */
const PATHS: Readonly<Record<Topic, string>> = {
  rounds: "/openapi.json",
  companies: "/openapi.json",
  investors: "/openapi.json",
  signals: "/api/v1/signal-catalog",
  deal_types: "/api/v1/deal-types",
  categories: "/api/v1/categories",
  countries: "/api/v1/countries",
};

/** It costs nothing, so it searches for nothing that the search by name does not keep in this process anyway. */
export function createDescribe(
  endpoints: ToolEndpoints,
  { dealTypes, knownValues, turns }: Pick<ApiParts, "dealTypes" | "knownValues" | "turns">,
): Describe {
  const tableOf = (name: "funding" | "companies" | "investors"): ParameterTable => endpoints[name].parameters;
  const lists: Readonly<Record<"rounds" | "companies" | "investors", ListDescription>> = {
    rounds: describeList(tableOf("funding")),
    companies: describeList(tableOf("companies")),
    investors: describeList(tableOf("investors")),
  };
  const dealTypeRows = dealTypes.words.map((key) => ({ key, name: dealTypeName(key) }));

  let kept: { until: number; values: Largest } | undefined;
  /** The categories and countries that most companies have. Counting them takes a turn, as a search by name does. */
  const largest = async (caller: Context): Promise<Largest> => {
    if (kept && performance.now() < kept.until) return kept.values;
    const left = leaving(caller);
    const values = await turns.inTurn(chargeOf(caller)!.handle, left, () => knownValues(left));
    kept = {
      until: performance.now() + KEEP_MS,
      values: { category: largestOf(values, "category"), country: largestOf(values, "country") },
    };
    return kept.values;
  };

  const rowsOf: Readonly<Record<Topic, (caller: Context) => readonly unknown[] | Promise<readonly unknown[]>>> = {
    rounds: () => [lists.rounds],
    companies: () => [lists.companies],
    investors: () => [lists.investors],
    signals: signalCatalog,
    deal_types: () => dealTypeRows,
    categories: async (caller) => (await largest(caller)).category,
    countries: async (caller) => (await largest(caller)).country,
  };
  const overview = async (caller: Context) => {
    const { category, country } = await largest(caller);
    const keysOf = (values: readonly Value[]) => values.slice(0, IN_OVERVIEW).map(({ key }) => key);
    return [
      ...Object.entries(lists).map(([topic, list]) => ({ topic, ...overviewOf(list) })),
      { topic: "signals", keys: signalCatalog().map(({ key }) => key) },
      { topic: "deal_types", words: dealTypes.words },
      { topic: "categories", largest: keysOf(category) },
      { topic: "countries", largest: keysOf(country) },
    ];
  };

  return async (caller, given, publicUrl) => {
    const topic = readGiven(TOPIC, given)["topic"] as Topic | undefined;
    const data = topic === undefined ? await overview(caller) : await rowsOf[topic](caller);
    const url = publicUrl + (topic === undefined ? "/openapi.json" : PATHS[topic]);
    return presentResult({ data }, { rows: "descriptions", cost: 0, url, leftOut: 0 }).result;
  };
}

const largestOf = (values: readonly NamedValue[], type: "category" | "country"): Value[] =>
  values
    .filter((value) => value.type === type)
    .toSorted((a, b) => (b.found.companies ?? 0) - (a.found.companies ?? 0))
    .slice(0, LARGEST)
    .map(({ found: { key, name, companies, rounds } }) => ({ key, name, companies, rounds }));

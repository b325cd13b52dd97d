import type { Dimension } from "@tranche/read-models/parameters/dimensions";
import type { NameType } from "@tranche/read-models/parameters/name-search";
import type { ParameterTable, Values } from "@tranche/read-models/parameters/parameter";
import { sentParameters } from "@tranche/read-models/parameters/read";
import type { Filter } from "@tranche/read-models/query/filters";
import type { Order } from "@tranche/read-models/query/list-query";
import type { Aggregations } from "@tranche/read-models/query/groups";
import { searchedFields } from "../name-search/searched-fields.ts";
import { headOf } from "../paging/names.ts";
import { aggregatedFields } from "../query/aggregated-fields.ts";

/** The requests that callers can make of a read model. */
type Parts = {
  filters: { table: ParameterTable; values: Values };
  order: { sort: string; order: Order };
  groups: readonly (readonly [name: string, dimension: Dimension])[];
  figures: { tally: Aggregations; details: Aggregations; overall?: Aggregations };
  names: NameType;
  domain: true;
};

/** The filters, order and groups that a request asks for. */
export type Asked = Partial<Parts>;

/** A part of a request by its name for callers, and the fields of the read model that a search for it reads. */
export type Need = readonly [what: string, fields: readonly string[]];

/**
 * The table of every field that a search reads, by what reads it. It leaves out those that each index has had since the first schema
 * and that no caller asks for: ids, `listed` and `gone`.
 */
const NEEDED: { [Part in keyof Parts]: (asked: Parts[Part]) => readonly Need[] } = {
  filters: ({ table, values }) =>
    sentParameters(table, values).map(({ name, value, row }) => [
      `the parameter '${name}'`,
      (row.filter?.(value, values) ?? []).flatMap(fieldsIn),
    ]),
  order: ({ sort, order: { field, by } }) => [
    [`the order '${sort}'`, by === "names" ? [field, headOf(field)] : [field]],
  ],
  groups: (by) => by.map(([name, { source }]) => [`groups by '${name}'`, [source.field]]),
  figures: ({ tally, details, overall = {} }) => [
    ["the figures of statistics", aggregatedFields({ ...tally, ...details, ...overall })],
  ],
  names: (type) => [[`a search for names of type '${type}'`, searchedFields(type).fields]],
  domain: () => [["a look-up by domain", ["domain"]]],
};

/** All that a request needs. */
export function neededBy(asked: Asked): Need[] {
  const needs = <Part extends keyof Parts>(part: Part) => NEEDED[part](asked[part]!);
  return (Object.keys(asked) as (keyof Parts)[]).flatMap(needs);
}

function fieldsIn(filter: Filter): string[] {
  return "either" in filter ? filter.either.flatMap(fieldsIn) : [filter.field];
}

import type { Problem } from "../errors/catalogue.ts";
import type { Filter } from "@tranche/read-models/query/filters";
import type { Kind } from "./kinds/kind.ts";

/** Values of a request's parameters by name: those that were sent, in the order of their table. */
export type Values = Readonly<Record<string, unknown>>;

/** One row a public parameter: reading, filtering, echoing, documentation and error texts come from it. */
export type Parameter = {
  kind: Kind<unknown>;
  description: string;
  /** As it would stand in a query string, not escaped. */
  example: string;
  /** Conditions that the value makes; `values` are those of all parameters. */
  filter?: (value: never, values: Values) => Filter[];
  /** Neither a filter nor an order: it is not in `filters_applied`. */
  unfiltered?: true;
  /** Name of the parameter whose value this one must not be above. */
  notAbove?: string;
  /** The items are from an open vocabulary: `field` holds the keys of those that records have. */
  open?: OpenVocabulary;
  /** What holds when it is not sent, as text for people. */
  fallback?: string;
};

export type OpenVocabulary = {
  field: string;
  key: (item: string) => string;
  /** How a known key is shown in a suggestion, where it has a name of its own. */
  show?: (key: string) => string | undefined;
  /** `No company is in the city`: what is said before an item that no record has. */
  nobody: string;
};

export type ParameterTable = Readonly<Record<string, Parameter>>;

/** A row, with the type of its filter's value taken from its kind. */
export function parameter<T>(
  row: Omit<Parameter, "kind" | "filter"> & { kind: Kind<T>; filter?: (value: T, values: Values) => Filter[] },
): Parameter & { kind: Kind<T> } {
  return Object.freeze(row);
}

export type Read = { values: Values; problems: Problem[] };

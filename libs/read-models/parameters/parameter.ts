import type { z } from "zod";
import type { Problem } from "./problem.ts";
import type { Cursor } from "../query/cursor.ts";
import type { Filter } from "../query/filters.ts";
import type { Kind } from "./kinds/kind.ts";
import type { ListItem } from "./kinds/list-item.ts";
import type { Since } from "./kinds/since.ts";
import type { Searched } from "./list-filters.ts";

/** The value of a parameter, as its kind reads it. */
export type Value = string | number | boolean | ListItem[] | Place;

/** The start of a page, which is not a filter. */
type Place = Cursor | Exclude<Since, string>;

export const isPlace = (value: Value): value is Place => typeof value === "object" && !Array.isArray(value);

/** Values of a request's parameters by name: those that were sent, in the order of their table. */
export type Values = Readonly<{
  [name: string]: Value | undefined;
  limit?: number;
  offset?: number;
  cursor?: Cursor;
  sort?: string;
  format?: string;
  fields?: string[];
}>;

/** One row per public parameter: reading, filtering, echoing, documentation and error texts come from it. */
export type Parameter<T extends Value = Value> = {
  kind: Kind<T>;
  description: string;
  /** As in a query string, not escaped. */
  example: string;
  /** The conditions of a value. `values` are those of all parameters. A method, because tables hold rows of different value types. */
  filter?(value: T, values: Values): Filter[];
  /** A request without it is refused. */
  required?: true;
  /** Neither a filter nor an order: it is not in `filters_applied`. */
  unfiltered?: true;
  /** The plan caps the value. */
  capped?: true;
  /** Name of the parameter whose value this one must not be above. */
  notAbove?: string;
  /** For lists whose items come from an open vocabulary. */
  open?: OpenVocabulary;
  /** The accepted items, where the schema of the kind has them as a pattern alone. */
  items?: readonly string[];
  /** The default, as text for people. */
  fallback?: string;
};

/** A vocabulary without a list of its words: those that documents have. */
export type OpenVocabulary<Document = Record<string, unknown>> = Searched<Document> & {
  keys: NonNullable<Searched["keys"]>;
  /** The name of a known key, for a suggestion. Default: the key. */
  show?: (key: string) => string | undefined;
  /** The warning's text before an item that no document has, such as `No company is in the city`. */
  nobody: string;
};

/** All parameters of an endpoint. Those that page and sort mean the same everywhere. */
export type ParameterTable = Readonly<Record<string, Parameter>> &
  Readonly<{
    limit?: Parameter<number>;
    offset?: Parameter<number>;
    cursor?: Parameter<Cursor>;
    sort?: Parameter<string>;
    format?: Parameter<string>;
    fields?: Parameter<string[]>;
  }>;

/** A table made of the filters of any list, and rows of its own. */
export type FiltersAnd<Own> = Readonly<Record<string, Parameter>> & Own;

/**
 * The values that a table reads, each with the type of its kind: `ValuesOf<ReturnType<typeof paging>>["limit"]` is `number | undefined`.
 * Of the parameters that a table has by an index signature, only `Values` is known.
 */
export type ValuesOf<Table extends ParameterTable> = ParameterTable extends Table
  ? Values
  : string extends keyof Table
    ? Values & NamedValues<Table>
    : NamedValues<Table>;

type NamedValues<Table extends ParameterTable> = {
  readonly [Name in keyof Table as string extends Name ? never : Name]?: z.output<NonNullable<Table[Name]>["kind"]>;
};

/** A row of a table. Its value's type comes from its kind. */
export function parameter<T extends Value>(row: Parameter<T>): Parameter<T> {
  return Object.freeze(row);
}

export type Read<Table extends ParameterTable = ParameterTable> = { values: ValuesOf<Table>; problems: Problem[] };

import { SENT } from "@tranche/read-models/parameters/kinds/kind";
import { isExcluding, isList } from "@tranche/read-models/parameters/kinds/list";
import { isPlace, type Parameter } from "@tranche/read-models/parameters/parameter";
import { valueSchema } from "../responses/envelopes.ts";
import type { JsonSchema, Schemas } from "./schemas.ts";

export function queryParameter(name: string, row: Parameter, schemas: Schemas): JsonSchema {
  const schema = schemas.parameterSchema(SENT.get(row.kind) ?? valueSchema(row.kind));
  const list = schema.type === "array";
  const value = row.kind.decode(row.example);
  const example = isPlace(value) ? row.example : value;
  return {
    name,
    in: "query",
    required: row.required ?? false,
    description: [
      row.description,
      ...(isExcluding(row.kind) ? [EXCLUDING] : []),
      // In words: generated clients send every `default` of a schema, also `offset` beside `cursor`.
      ...(row.fallback === undefined ? [] : [`Default: \`${row.fallback}\`.`]),
      ...("enum" in schema ? [] : [`Example: \`${row.example}\`.`]),
    ].join(" "),
    // Not the `example` of the parameter: the reference would fill in all of them, and hardly any row matches all filters.
    schema: {
      ...schema,
      examples: [list ? row.example.split(",") : example],
    },
    ...(list ? { style: "form", explode: isList(row.kind) } : {}),
  };
}

/** For every list whose items can be excluded. */
const EXCLUDING = "A `!` before an item excludes it (`!item`).";

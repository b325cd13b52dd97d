import type { ParameterTable, Values } from "@tranche/read-models/parameters/parameter";
import { filtersOf } from "@tranche/read-models/parameters/read";
import type { Filter } from "@tranche/read-models/query/filters";
import { ApiError } from "../errors/api-error.ts";

/** A rebuild takes minutes. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Throws `unavailable` when a filter, or something else that is asked for (the order, a group), needs a field that not all documents
 * have: an answer would lack rows in silence. `others`: what callers call each of these, and its field.
 */
export function assertFilled(
  lacking: ReadonlySet<string>,
  { table, values, others = [] }: { table: ParameterTable; values: Values; others?: Others },
): void {
  if (lacking.size === 0) return;
  const filters = Object.entries(values).map(([name, value]) => {
    const fields = filtersOf(table, { [name]: value }, []).flatMap(fieldsIn);
    return [`the parameter '${name}'`, fields] as const;
  });
  const named = others.map(([name, field]) => [name, [field]] as const);
  const [what] = [...filters, ...named].find(([, fields]) => fields.some((field) => lacking.has(field))) ?? [];
  if (what !== undefined) throw lackingField(what);
}

type Others = readonly (readonly [what: string, field: string])[];

/** `unavailable`. `what` needs a field that not all documents have. */
export function lackingField(what: string): ApiError {
  return new ApiError(
    "unavailable",
    `The service was upgraded, and its search index can't answer ${what} yet: it gets what that needs with the next rebuild. Everything else is answered.`,
    { headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } },
  );
}

function fieldsIn(filter: Filter): string[] {
  return "either" in filter ? filter.either.flatMap(fieldsIn) : [filter.field];
}

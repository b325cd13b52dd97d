import type { Dimension } from "@tranche/read-models/parameters/dimensions";
import type { ParameterTable, Value, Values } from "@tranche/read-models/parameters/parameter";
import type { GroupKey } from "@tranche/read-models/query/groups";

/** Bounds of a group narrow those of the request. */
const NARROWER: Readonly<Record<string, (a: Value, b: Value) => Value>> = Object.freeze({
  from: (a, b) => (a > b ? a : b),
  min_amount_usd: (a, b) => (a > b ? a : b),
  to: (a, b) => (a < b ? a : b),
  max_amount_usd: (a, b) => (a < b ? a : b),
  min_signal_score: (a, b) => (a > b ? a : b),
});

/**
 * The parameters that select a group when they take the place of those of the request, as they are written in a query string. Null
 * when no parameters do.
 */
export function selectionOf(
  table: ParameterTable,
  values: Values,
  by: readonly Dimension[],
  key: GroupKey,
): Record<string, string> | null {
  const selected: Record<string, Value> = {};
  for (const [n, dimension] of by.entries()) {
    const own = key[n] === null ? dimension.selectMissing : dimension.select(key[n]!);
    if (own === undefined) return null;
    for (const [name, value] of Object.entries(own)) {
      if (value === undefined) continue;
      if (!table[name]) return null;
      const narrower = NARROWER[name];
      const sent = selected[name] ?? values[name];
      // A row has several values: those that the request asks for and that of the group are both conditions.
      if (sent !== undefined && dimension.multiValued) return null;
      selected[name] = sent !== undefined && narrower ? narrower(sent, value) : value;
    }
  }
  // It asks when one of the signals in `signal` was detected.
  if ("signal" in selected && values["detected_since"] !== undefined) return null;
  // A newer version or another vocabulary may have indexed a value that the parameter does not take.
  const written = Object.entries(selected).map(([name, value]) => [name, table[name]!.kind.safeEncode(value)] as const);
  if (written.some(([, { success }]) => !success)) return null;
  return Object.fromEntries(written.map(([name, { data }]) => [name, data!]));
}

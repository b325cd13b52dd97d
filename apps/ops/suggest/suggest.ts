import type { DealTypes } from "@tranche/shared/vocabulary/deal-types";
import type { Recognised } from "./columns.ts";
import { recordsOf } from "./records.ts";
import type { Sample } from "./sample.ts";
import { readTable } from "./table.ts";
import { valuesOf } from "./values.ts";

export type Suggestion = { mapping: object; recognised: Recognised; unused: string[] };

/** A first mapping for a file, from the names and texts of its columns; undefined when no column holds the companies. */
export function suggestMapping(sample: Sample, dealTypes: DealTypes): Suggestion | undefined {
  const table = readTable(sample, dealTypes);
  if (!table) return undefined;
  const { columns, empty } = table;
  const values = valuesOf(table);
  const used = new Set(Object.values(columns));
  return {
    mapping: {
      description:
        "A first mapping, suggested from the beginning of the file: check each column, then try it with --dry-run.",
      ...(sample.encoding === "utf8" ? {} : { encoding: sample.encoding }),
      ...(sample.delimiter === "," ? {} : { delimiter: sample.delimiter }),
      ...(sample.lineEnds === "any" ? {} : { line_ends: sample.lineEnds }),
      ...(empty.length > 0 ? { empty } : {}),
      values,
      records: recordsOf(table, values),
    },
    recognised: columns,
    unused: sample.columns.filter((column) => !used.has(column)),
  };
}

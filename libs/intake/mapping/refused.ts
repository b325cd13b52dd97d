import { quoted } from "@tranche/shared/domain/text/quoted";
import type { RecordProblem } from "@tranche/shared/domain/records/parse";
import { keyOf } from "@tranche/shared/domain/text/key";
import type { Row } from "./condition.ts";
import type { Mapping, RecordRule } from "./schema.ts";
import { placeholdersOf } from "./template.ts";
import { nullReason, type Values } from "./value.ts";

type Origin = { rule: RecordRule; mapping: Mapping; row: Row; values: Values };

/** Problems of a record in terms of its row: the column, and what it holds. A reason that several fields share is given once. */
export function explained(problems: readonly RecordProblem[], origin: Origin): RecordProblem[] {
  const byReason = new Map<string, RecordProblem>();
  for (const { field, reason } of problems) {
    const columns = columnReasons(field.split(".")[0]!, origin);
    const problem = {
      field: `${origin.rule.type}${field === "" ? "" : `.${field}`}`,
      reason: columns.empty ?? [reason, ...columns.texts].join("; "),
    };
    if (!byReason.has(problem.reason)) byReason.set(problem.reason, problem);
  }
  return [...byReason.values()];
}

/** Why a value in the field's template is null, or else the texts that went into it. */
function columnReasons(field: string, { rule, mapping, row, values }: Origin): { empty?: string; texts: string[] } {
  const texts: string[] = [];
  for (const { name, asKey } of placeholdersIn(rule.fields[field])) {
    const source = mapping.values[name === "item" ? (rule.for_each ?? "") : name];
    if (source === undefined) continue;
    const value = values[name] ?? null;
    if (value === null) return { empty: nullReason(source, row, mapping), texts };
    const columns = quoted(source.column);
    const shown = `'${String(value).slice(0, 100)}'`;
    if (asKey && !Array.isArray(value) && keyOf(String(value)) === "")
      return { empty: `column ${columns} has ${shown}, which has no letter or digit`, texts };
    texts.push(`${source.column.length === 1 ? "column" : "columns"} ${columns}: ${shown}`);
  }
  return { texts };
}

function placeholdersIn(template: RecordRule["fields"][string] | undefined) {
  if (!Array.isArray(template)) return placeholdersOf(template);
  return template.flatMap((item) => (typeof item === "string" ? [item] : Object.values(item))).flatMap(placeholdersOf);
}

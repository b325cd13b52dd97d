import type { ToolResult } from "../support/mcp-client.ts";
import type { Grading } from "./questions.ts";

/** What a result says: its rows, each by what names it, and how many there are in all where the tool counts them. */
export type Outcome = { rows: readonly string[]; count: number | undefined };

type Row = Readonly<Record<string, unknown>>;

/** The outcome of a result; undefined for an error. */
export function outcomeOf({
  isError,
  structuredContent: { data, pagination, total },
}: ToolResult): Outcome | undefined {
  if (isError) return undefined;
  const rows = (Array.isArray(data) ? data : [data]) as Row[];
  return { rows: rows.map(nameOf), count: pagination?.count ?? total?.count };
}

/** A group by its key and count, a record by its id, a description by its key, anything else by what it has. */
function nameOf(row: Row): string {
  const { count, key, id, company, investor } = row;
  if (count !== undefined) return JSON.stringify([key, count]);
  const record = id ?? (company as Row | undefined)?.["id"] ?? (investor as Row | undefined)?.["id"] ?? key;
  return typeof record === "string" ? record : JSON.stringify(record ?? Object.keys(row));
}

/** Whether an outcome is as good as the right one. */
export function isRight(given: Outcome | undefined, right: Outcome, grade: Grading): boolean {
  if (!given) return false;
  const sameCount = given.count === right.count;
  // Statistics in all have no rows.
  if (grade === "count") return sameCount && given.count !== 0;
  if (given.rows.length === 0) return false;
  switch (grade) {
    case "first":
      return given.rows[0] === right.rows[0];
    case "order": {
      const shown = Math.min(given.rows.length, right.rows.length);
      return sameCount && right.rows.slice(0, shown).every((row, at) => row === given.rows[at]);
    }
    case "groups":
      return sameCount && isSameSet(given.rows, right.rows);
    case "rows": {
      const whole = [given, right].every(({ rows, count }) => count === undefined || rows.length === count);
      return sameCount && (!whole || isSameSet(given.rows, right.rows));
    }
  }
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((row) => others.includes(row));

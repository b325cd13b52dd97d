import type { Condition } from "./schema.ts";

export type Row = Readonly<Record<string, string>>;

/** A text is compared whole; case does not matter. */
export const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, "iu");

/** Whether a text fits any of the expressions, whole. */
export function anyOf(patterns: readonly string[]): (text: string) => boolean {
  if (patterns.length === 0) return () => false;
  const any = whole(patterns.map((pattern) => `(?:${pattern})`).join("|"));
  return (text) => any.test(text);
}

/** A condition on a column of a row, as `skip` and `when` have it. A text may have line breaks, and `.` stands for them, too. */
export function conditionReader({ column, fits, not }: Condition): (row: Row) => boolean {
  const expression = new RegExp(whole(fits ?? not!), "isu");
  return (row) => expression.test((row[column] ?? "").trim()) === (fits !== undefined);
}

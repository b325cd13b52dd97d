import { samplesOf } from "./column-texts.ts";
import type { Recognised } from "./columns.ts";
import type { Question } from "../mapping/schema.ts";
import { isUsed, type Kind, meaningOf } from "./kind.ts";
import { MEANINGS, type Role } from "./roles.ts";
import type { RoundColumns } from "./round-columns.ts";
import type { Sample } from "./sample.ts";
import { rawTexts } from "./table.ts";
import type { Values } from "./values.ts";

/** The meaning of a column, how sure that is, and why. */
export type ColumnReport = {
  column: string;
  samples: string;
  /** The id of its meaning; missing where it is not used. */
  role?: Role;
  meaning: string | undefined;
  sure: "sure" | "likely" | "asked" | "not used";
  why: string;
};

/** What is said of each column, in the order of the file. */
export function reports(
  { columns, chosen, unused, kind }: Recognised & { kind: Kind },
  { notes }: Values,
  questions: readonly Question[],
): ColumnReport[] {
  const roles = new Map(
    (Object.keys(chosen) as Role[]).flatMap((role) => {
      const { column, more } = chosen[role]!;
      return [column, ...more].map((each) => [each, role] as const);
    }),
  );
  return columns.map((column) => {
    const { name } = column;
    const role = roles.get(column);
    const found = role && chosen[role];
    const samples = samplesOf(column.texts);
    if (!role || !found) return { column: name, samples, meaning: undefined, sure: "not used", why: unused.get(name)! };
    if (!isUsed(role, kind))
      return {
        column: name,
        samples,
        meaning: undefined,
        sure: "not used",
        why: `it would be ${MEANINGS[role]}, and ${kind === "rounds" ? "the rows are about rounds" : "there are no rounds"}`,
      };
    const isAsked = questions.some((question) => question.column === name || question.id === role);
    const isGuess = notes.some(([of, , guess]) => of === name && guess);
    const why = [found.why, ...notes.flatMap(([of, note]) => (of === name ? [note] : []))].join("; ");
    return {
      column: name,
      samples,
      role,
      meaning: meaningOf(role, kind),
      sure: isAsked ? "asked" : found.sure && !isGuess ? "sure" : "likely",
      why,
    };
  });
}

/** What is said of a column counts for those of all rounds. */
export function ofAllRounds(
  reported: readonly ColumnReport[],
  sample: Sample,
  apart: RoundColumns | undefined,
): ColumnReport[] {
  if (!apart) return [...reported];
  const by = new Map(reported.map((report) => [report.column, report]));
  return sample.columns.map((column) => ({
    ...by.get(apart.standsFor.get(column) ?? column)!,
    column,
    samples: samplesOf(rawTexts(sample, column)),
  }));
}

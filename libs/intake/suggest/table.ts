import type { Question } from "../mapping/schema.ts";
import type { Recognised } from "./columns.ts";
import { emptiesOf } from "./empties.ts";
import type { Kind } from "./kind.ts";
import type { OtherEvents } from "./other-events.ts";
import type { Column, Role } from "./roles.ts";
import type { Sample } from "./sample.ts";

/** The source of the values of a file. */
export type Table = Recognised & {
  sample: Sample;
  kind: Kind;
  /** A round has a row for each of its investors. */
  perInvestor: boolean;
  others?: OtherEvents | undefined;
};

/** A remark on a column for a person. */
export type Note = [column: string, note: string, isGuess?: boolean];

/** How a value is read, what the texts leave open, and remarks. */
export type ValuePart = { value: object; questions: Question[]; notes: Note[] };

/** The texts of a column as they are. */
export const rawTexts = ({ rows }: Sample, column: string): string[] =>
  rows.map((row) => row[column]!.trim()).filter((text) => text !== "");

/** The texts of a column that say nothing, as a value has them. */
export function emptyOf(sample: Sample, role: Role, { name }: Column): { empty?: string[] } {
  const empty = emptiesOf(role, rawTexts(sample, name));
  return empty.length > 0 ? { empty } : {};
}

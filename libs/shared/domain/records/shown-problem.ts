import type { RecordProblem } from "./parse.ts";

/** `amount_usd: must not be negative`; the reason alone where it is about the whole record. */
export const shownProblem = ({ field, reason }: RecordProblem): string =>
  field === "" ? reason : `${field}: ${reason}`;

/** All problems of a record, in one line. */
export const shownProblems = (problems: readonly RecordProblem[]): string => problems.map(shownProblem).join("; ");

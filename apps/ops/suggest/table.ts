import type { DealTypes } from "@tranche/shared/vocabulary/deal-types";
import { anyOf } from "../mapping/condition.ts";
import { type Recognised, recognise } from "./columns.ts";
import { isRowPerInvestor } from "./row-per-investor.ts";
import type { Sample } from "./sample.ts";

const EMPTY_TEXTS = ["n/a", "#n/a", "na", "nan", "null", "none", "nil", "-", "—", "\\?"];
export const UNDISCLOSED = ["undisclosed( amount)?", "not disclosed", "unknown", "tbd", "confidential"];

/** A file of which a mapping is suggested, and what was recognised in it. */
export type Table = {
  sample: Sample;
  columns: Recognised & { company: string };
  /** The patterns of texts without a value that occur in it. */
  empty: string[];
  isEmpty: (text: string) => boolean;
  hasRounds: boolean;
  /** A round has a row for each of its investors. */
  perInvestor: boolean;
};

/** Undefined when no column holds the companies. */
export function readTable(sample: Sample, dealTypes: DealTypes): Table | undefined {
  const empty = occurring(sample, EMPTY_TEXTS, sample.columns);
  const isEmpty = anyOf([...empty, ...UNDISCLOSED]);
  const columns = recognise(sample, dealTypes, isEmpty);
  const { company } = columns;
  if (company === undefined) return undefined;
  const hasRounds = columns.date !== undefined && [columns.amount, columns.deal_type, columns.investors].some(Boolean);
  const perInvestor = hasRounds && isRowPerInvestor(sample, columns);
  return { sample, columns: { ...columns, company }, empty, isEmpty, hasRounds, perInvestor };
}

/** The texts of a column that are a value. */
export const filled = ({ sample, isEmpty }: Table, column: string): string[] =>
  textsOf(sample, column).filter((text) => text !== "" && !isEmpty(text));

/** Those of some patterns that a text in some columns fits. */
export const occurring = (sample: Sample, patterns: readonly string[], columns: readonly string[]): string[] =>
  patterns.filter((pattern) => columns.some((column) => textsOf(sample, column).some(anyOf([pattern]))));

const textsOf = ({ rows }: Sample, column: string) => rows.map((row) => row[column]!.trim());

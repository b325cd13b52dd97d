import { looksLikeAmounts } from "./amount-columns.ts";
import { type Candidate, misfit, UNNAMED } from "./column-texts.ts";
import { DATE_NAMES, DATE_TRAPS, NUMBER_FORMATS } from "./date-columns.ts";
import type { Dates } from "./dates.ts";
import { type Recogniser, YES_OR_NO } from "./recogniser.ts";
import type { Column, Role } from "./roles.ts";

/** From this share on the texts of a column fit a role. */
const FITS_FROM = 0.6;

/** A column that may have a role; or why it has not, though it looks like it; undefined where nothing speaks for it. */
type Judgement = Candidate | string | undefined;

/** `orParts`: a column of a part, too, because no other one has the whole. `date`: the column of the date, if there is one. */
type Beside = { orParts: boolean; date: Column | undefined };

/** Judges a column by its name and its texts. */
export function judge(
  role: Exclude<Role, "date">,
  { names, fits, traps = [] }: Recogniser,
  column: Column,
  { orParts, date }: Beside,
): Judgement {
  const named = names.findIndex((name) => name.test(column.key));
  const rank = named === -1 && role === "amount" && looksLikeAmounts(column) ? UNNAMED : named;
  if (rank === -1) return undefined;
  const isEmpty = column.texts.length === 0;
  const trap = traps.find(([name, , isPart]) => name.test(column.key) && !(isPart && orParts));
  if (trap) return !isEmpty && fits(column) >= FITS_FROM ? trap[1] : undefined;
  if (isEmpty) return { column, rank, share: 1, precision: 0 };
  if (role === "amount" && /total/.test(column.key) && isLast(date) && !isLast(column))
    return "it is the total of all rounds, and the day is that of the last one";
  const share = fits(column);
  return share >= FITS_FROM ? { column, rank, share, precision: 0 } : misfit(role, column, share);
}

const isLast = (of: Column | undefined) => of !== undefined && /(?:^|-)la(?:te)?st-/.test(of.key);

/** Judges a column as one of dates. */
export function judgeDates(column: Column, { share, precision, formats }: Dates): Judgement {
  const named = DATE_NAMES.findIndex((name) => name.test(column.key));
  if (share < FITS_FROM) return named !== -1 && column.texts.length > 0 ? misfit("date", column, share) : undefined;
  const trap = DATE_TRAPS.find(([name]) => name.test(column.key));
  if (trap && !/(?:last|latest)-(?:funding|round)/.test(column.key)) return trap[1];
  if (named === -1 && formats.some((format) => NUMBER_FORMATS.has(format))) return undefined;
  return { column, rank: named === -1 ? UNNAMED : named, share, precision };
}

/** Columns of words. A person has to choose which one has the names of companies. */
export function unnamedCompany(column: Column): Candidate[] {
  const { texts } = column;
  const words = texts.filter(
    (text) => /\p{L}/u.test(text) && !/^https?:|^www\./i.test(text) && !YES_OR_NO.test(text) && text.length <= 80,
  );
  const isNames = words.length >= 0.8 * texts.length && new Set(texts).size > 0.3 * texts.length && texts.length > 0;
  return isNames ? [{ column, rank: UNNAMED, share: 1, precision: 0 }] : [];
}

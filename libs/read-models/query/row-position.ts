import { dayOf, dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import type { Order, OrderedBy } from "./order.ts";

/** The value of a row in the field that orders its list: a day as YYYY-MM-DD, a number, or the key of a name. Null: it has no value. */
type OrderedValue = string | number | null;
/** The place of a row in a list. The row itself may be gone. */
export type RowPosition = {
  value: OrderedValue;
  id: string;
  /** `value` is only the beginning of the value, which is too long for a cursor. */
  cut?: true;
};

/** How the values of one kind of order look in Elasticsearch's `sort` and `search_after`. */
type SortedValue = {
  /** A value of `sort`; null for a missing value. */
  read(sorted: unknown): OrderedValue;
  /** The same value for `search_after`. */
  write(value: string | number): string | number;
  /** Whether a value is one of this kind. */
  fits(value: string | number): boolean;
};

/** The last time, in ms, that JavaScript has. A missing date is sorted as 2^63 - 1 or -2^63. */
const MAX_TIME = 8.64e15;
/** The largest of a field of 32 bits. A missing number is sorted as this one or a larger one. */
const MAX_POINTS = 2 ** 31 - 1;

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const SORTED_VALUES: Readonly<Record<OrderedBy, SortedValue>> = {
  days: {
    read: (sorted) => (isNumber(sorted) && Math.abs(sorted) <= MAX_TIME ? isoDay(dayOfTime(sorted)) : null),
    write: (value) => Date.parse(`${value}T00:00:00Z`),
    fits: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && isDay(value),
  },
  amounts: {
    // A missing amount is sorted as the text "Infinity" or "-Infinity".
    read: (sorted) => (isNumber(sorted) ? sorted : null),
    write: (value) => value,
    fits: (value) => isNumber(value) && value >= 0,
  },
  points: {
    read: (sorted) => (isNumber(sorted) && Math.abs(sorted) < MAX_POINTS ? sorted : null),
    write: (value) => value,
    fits: (value) => Number.isInteger(value) && Math.abs(value as number) < MAX_POINTS,
  },
  names: {
    read: (sorted) => (typeof sorted === "string" ? sorted : null),
    write: (value) => value,
    fits: (value) => typeof value === "string",
  },
};

/** A day that the calendar has. */
function isDay(text: string): boolean {
  const day = dayOf(text);
  return !Number.isNaN(day) && isoDay(day) === text;
}

/** The position of a hit of `listQuery`, from its `sort`. */
export function positionOf({ by }: Order, sorted: readonly unknown[]): RowPosition {
  const id = String(sorted.at(-1));
  // Rows without a value are sorted by id alone after a row without one.
  return { value: sorted.length === 1 ? null : SORTED_VALUES[by].read(sorted[0]), id };
}

/** Whether rows of this order can have the value of a position. */
export const fitsOrder = ({ by }: Order, { value, cut }: RowPosition): boolean =>
  value === null ? !cut : SORTED_VALUES[by].fits(value) && (!cut || by === "names");

/** A position as `search_after`, for a sort by value and id; without a value, by id alone. */
export const searchAfter = ({ by }: Order, { value, id }: RowPosition): (string | number)[] =>
  value === null ? [id] : [SORTED_VALUES[by].write(value), id];

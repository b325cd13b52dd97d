import { keyOf } from "@tranche/shared/domain/text/key";
import { FIRST_YEAR, type Numbers } from "./date-notations.ts";

/** The parts of a date in the order in which they are written. */
export type Order = "day_first" | "month_first" | "year_first";

/** Contradicting texts count as mistakes below this share. */
const MISTAKES = 0.01;
const MANY = 12;
const FAR_FEWER = 3;

/** Dates of numbers that are written alike. */
export const shapeOf = ({ separators, yearAt }: Numbers) => `${separators.join(" ")}${yearAt ?? "-"}`;

type Choice = { of: (numbers: Numbers) => Order; open: Order[]; why: string | undefined; example: string | undefined };

/** The unambiguous dates of the whole column decide, whatever separates their parts; then the column's name. */
export function chooseOrder(all: readonly Numbers[], name: string, lastYear: number, given?: Order): Choice {
  // With the year first, the month follows.
  const dates = all.filter(({ yearAt }) => yearAt !== 0);
  const rest: Choice = { of: () => "year_first", open: [], why: undefined, example: undefined };
  if (dates.length === 0) return rest;
  const of = (order: Order) => (numbers: Numbers) => (numbers.yearAt === 0 ? "year_first" : order);
  if (given) return { ...rest, of: of(given), why: `${orderText(given)}, as you say` };

  const orders: Order[] = dates.every(({ yearAt }) => yearAt === undefined)
    ? yearFirstToo(dates)
    : ["day_first", "month_first"];
  const wrong = (order: Order, some: readonly Numbers[]) =>
    some.filter((each) => !dateIn(each, order, lastYear)).length;
  const possible = orders.filter((order) => wrong(order, dates) === 0);
  const example = dates.find(
    (each) =>
      new Set(orders.map((order) => dateIn(each, order, lastYear) ?? order)).size > 1 &&
      orders.filter((order) => dateIn(each, order, lastYear)).length > 1,
  );
  const shown = example && shownNumbers(example);

  if (possible.length === 1) {
    const proof = dates.find((each) => orders.some((order) => order !== possible[0] && !dateIn(each, order, lastYear)));
    return {
      ...rest,
      of: of(possible[0]!),
      why: `${orderText(possible[0]!)}, as ${proof ? `in '${shownNumbers(proof)}'` : "few different years are written there"}`,
    };
  }
  const hint = hintOf(name);
  if (possible.length > 1) {
    if (hint && possible.includes(hint))
      return { ...rest, of: of(hint), why: `${orderText(hint)}, as the column's name says` };
    if (!example) return { ...rest, of: of(possible[0]!) };
    return { of: of(possible[0]!), open: possible, why: undefined, example: shown };
  }
  const best = orders.toSorted((a, b) => wrong(a, dates) - wrong(b, dates))[0]!;
  if (wrong(best, dates) <= MISTAKES * dates.length)
    return {
      ...rest,
      of: of(best),
      why: `${orderText(best)}, as in all but ${wrong(best, dates)} of ${dates.length} dates`,
    };
  const shapes = new Map(
    [...Map.groupBy(dates, shapeOf)].map(([shape, some]) => [
      shape,
      orders.filter((order) => wrong(order, some) === 0),
    ]),
  );
  if ([...shapes.values()].every((each) => each.length === 1))
    return {
      ...rest,
      of: (each) => shapes.get(shapeOf(each))?.[0] ?? "year_first",
      why: "the order of each notation as its own dates say",
    };
  return { of: of(best), open: orders, why: undefined, example: shown };
}

/** In many dates with two digits for each part, the part with far fewer distinct texts is the year. */
function yearFirstToo(dates: readonly Numbers[]): Order[] {
  const different = (index: 0 | 2) => new Set(dates.map(({ parts }) => parts[index])).size;
  const [first, last] = [different(0), different(2)];
  if (dates.length >= MANY && last <= first / FAR_FEWER) return ["day_first", "month_first"];
  if (dates.length >= MANY && first <= last / FAR_FEWER) return ["year_first"];
  return ["day_first", "month_first", "year_first"];
}

/** The date in an order, as a text that can be compared; undefined when it does not exist or is too far away. */
function dateIn({ parts, yearAt }: Numbers, order: Order, lastYear: number): string | undefined {
  const [a, b, c] = parts.map(Number) as [number, number, number];
  const [written, m, d] =
    order === "year_first" || yearAt === 0 ? [a, b, c] : order === "day_first" ? [c, b, a] : [c, a, b];
  const year = written > 99 || yearAt !== undefined ? written : written + (written > 60 ? 1900 : 2000);
  if (yearAt === undefined && order === "year_first" && parts[0].length !== 2) return undefined;
  if (yearAt === undefined && order !== "year_first" && parts[2].length !== 2) return undefined;
  if (year > lastYear || year < FIRST_YEAR || m < 1 || m > 12 || d < 1) return undefined;
  return d <= new Date(Date.UTC(year, m, 0)).getUTCDate() ? `${year}-${m}-${d}` : undefined;
}

function hintOf(name: string): Order | undefined {
  const key = keyOf(name).replaceAll("-", "");
  if (/(?:dd|tt|jj)mm(?:yy|aa|jj)/.test(key)) return "day_first";
  if (/mm(?:dd|tt|jj)(?:yy|aa|jj)/.test(key)) return "month_first";
  return undefined;
}

const shownNumbers = ({ parts, separators: [separator, end] }: Numbers) => parts.join(separator) + end;
const orderText = (order: Order) => order.replace("_", " ");

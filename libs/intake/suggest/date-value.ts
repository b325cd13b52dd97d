import { quoted } from "@tranche/shared/domain/text/quoted";
import type { Question } from "../mapping/schema.ts";
import { counted } from "@tranche/shared/domain/text/numbers";
import { QUARTER } from "./date-columns.ts";
import type { Column } from "./roles.ts";
import { emptyOf, type Note, type Table, type ValuePart } from "./table.ts";

/** How the dates of a row are read; where months and days have columns of their own, from all of them. */
export function dateValue(table: Table, found: Column): ValuePart {
  const questions: Question[] = [];
  const notes: Note[] = [];
  const { formats, replace, open, why, example, coarse, unread } = table.dates(found);
  const [month, day] = [table.chosen.month?.column, table.chosen.day?.column];
  if (month) {
    const isQuarter = QUARTER.test(month.key);
    const parts = [found, month, ...(day ? [day] : [])];
    const [first = ""] = month.texts;
    const written = month.texts.some((text) => /\p{L}{4,}/u.test(text)) ? "MMMM" : "MMM";
    const m = isQuarter ? "q" : /\p{L}/u.test(first) ? first.replace(/\d+/, "d").replace(/\p{L}{3,}/u, written) : "M";
    const value = {
      column: parts.map(({ name }) => name),
      replace: [...found.off, ["\\.0$", ""], ...(isQuarter ? [["^q ?", ""]] : [])],
      ...emptyOf(table.sample, "date", found),
      join: "-",
      as: "date",
      formats: [`yyyy-${m}${day ? "-d" : ""}`, "yyyy"],
    };
    return { value, questions: [], notes: [] };
  }
  const value = {
    column: found.name,
    ...emptyOf(table.sample, "date", found),
    ...(replace.length + found.off.length > 0 ? { replace: [...found.off, ...replace] } : {}),
    as: "date",
    formats: formats.length > 0 ? formats : ["yyyy-MM-dd"],
  };
  if (open.length > 1)
    questions.push({
      id: "date_order",
      column: found.name,
      question: `Which part of the dates comes first? All of them, such as '${example}', can be read in both ways.`,
      answers: Object.fromEntries(open.map((order) => [order, ORDER_TEXTS[order]])),
      place: "values.date.formats",
    });
  if (why !== undefined) notes.push([found.name, why]);
  if (coarse > 0)
    notes.push([found.name, `${counted(coarse, "text")} with only a year, a quarter or a month: its first day`]);
  if (unread.length > 0) notes.push([found.name, `not readable, so their rows are refused: ${quoted(unread)}`]);
  return { value, questions, notes };
}

const ORDER_TEXTS = {
  day_first: "the day, then the month",
  month_first: "the month, then the day",
  year_first: "the year",
} as const;

import type { Field } from "../../../../apps/dashboard/explore/list-fields.ts";
import { money } from "../../format.ts";
import { labelOf } from "./suggestions.ts";
import { readDay, shownDayText } from "../request/day-text.ts";
import { readList } from "../request/list-text.ts";
import { type Params, readParams, valueOf } from "../request/params.ts";
import { type Filter, filtersOfList, shownWord } from "../words.ts";

/** More items than this are counted. */
const MOST_ITEMS = 2;

/** The text of a filter's chip: "Germany, not France", "$5M or more", "2013"; undefined while it is empty. */
export function filterText({ fields }: Filter, params: Params): string | undefined {
  const value = (name: string) => (fields.some((field) => field.name === name) ? valueOf(params, name) : undefined);
  const [min, max] = [/^min_/, /^max_/].map((end) => fields.find(({ name }) => end.test(name))?.name);
  const parts = [
    between(value("from"), value("to"), period),
    between(min && value(min), max && value(max), (ends) =>
      min?.endsWith("_year") ? years(ends) : range(ends, min?.endsWith("_usd") === true),
    ),
    ...fields.flatMap((field) => {
      const text = valueOf(params, field.name);
      if (text === undefined || ["from", "to", min, max].includes(field.name)) return [];
      if (field.kind === "list") return [items(field.name, text)];
      if (field.name === "disclosed") return [text === "true" ? "disclosed" : text === "false" ? "undisclosed" : text];
      if (field.kind === "date") return [`since ${shownDayText(text)}`];
      if (field.name.endsWith("_match")) return text === "all" ? ["all of them"] : [];
      return [field.kind === "choice" ? shownWord(text) : text];
    }),
  ];
  const said = parts.filter((part) => part !== undefined && part !== "");
  return said.length > 0 ? said.join(", ") : undefined;
}

/**
 * The filters of a query string in a line: "Countries: Germany · Deal types: Seed"; undefined without any. A parameter that the list does
 * not have is there as it is written.
 */
export function filtersText(fields: readonly Field[], query: string): string | undefined {
  const params = readParams(query);
  const known = filtersOfList(fields).flatMap((filter) => {
    const text = filterText(filter, params);
    return text === undefined ? [] : [`${filter.name}: ${text}`];
  });
  const others = params.filter(([name]) => fields.every((field) => field.name !== name));
  const said = [...known, ...others.map((pair) => pair.join(": "))];
  return said.length > 0 ? said.join(" · ") : undefined;
}

type Ends = readonly [first: string | undefined, last: string | undefined];

const between = (first: string | undefined, last: string | undefined, words: (ends: Ends) => string) =>
  first === undefined && last === undefined ? undefined : words([first, last]);

function period([from, to]: Ends): string {
  if (from === undefined) return `until ${shownDayText(to!)}`;
  if (to === undefined) return `from ${shownDayText(from)}`;
  const [year] = from.split("-");
  if (from === readDay(year!, "first") && to === readDay(year!, "last")) return year!;
  return `${shownDayText(from)} – ${shownDayText(to)}`;
}

function years([first, last]: Ends): string {
  if (first === undefined) return `until ${last}`;
  if (last === undefined) return `from ${first}`;
  return first === last ? first : `${first} – ${last}`;
}

function range([first, last]: Ends, isMoney: boolean): string {
  const shown = (text: string) => (isMoney && Number.isFinite(Number(text)) ? money(Number(text)) : text);
  if (first === undefined) return `up to ${shown(last!)}`;
  return last === undefined ? `${shown(first)} or more` : `${shown(first)} – ${shown(last)}`;
}

function items(field: string, text: string): string {
  const all = readList(text);
  const shown = all.slice(0, MOST_ITEMS).map((item) => `${item.excluded ? "not " : ""}${labelOf(field, item.text)}`);
  return [...shown, ...(all.length > MOST_ITEMS ? [`${all.length - MOST_ITEMS} more`] : [])].join(", ");
}

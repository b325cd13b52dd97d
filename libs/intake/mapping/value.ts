import { quoted } from "@tranche/shared/domain/text/quoted";
import { keyOf } from "@tranche/shared/domain/text/key";
import { readAmount, readDigits, roundTo } from "./amount.ts";
import { anyOf, conditionReader, type Row, whole } from "./condition.ts";
import { agreedCurrency, currencyOf, rateOf, unknownCurrency } from "./currency.ts";
import { countryIn } from "./country.ts";
import { wholeDateReader } from "./date.ts";
import { decodeEscapes } from "./escapes.ts";
import { ITEM_END } from "./json-rows.ts";
import { splitAtCommas } from "./list-items.ts";
import type { Mapping, ValueRule } from "./schema.ts";

export type Value = string | number | boolean | null | string[];

/** `isCoarse`: a date that says no day. */
type Converted = { value: Value; isCoarse?: boolean } | { reason: string };
type ReadColumn = (column: string) => string;
/** `values` are those read before; `column` reads another column of the row. */
type Convert = (text: string, values: Values, column: ReadColumn) => Converted;

/** The values of a row by name, with `item` in a `for_each`. */
export type Values = Readonly<Record<string, Value>>;

/** Reads the values of a row, by the name they have in the mapping. */
type ReadValues = (row: Row) => {
  values: Values;
  /** The values that could not be read, by column. */
  problems: { field: string; reason: string }[];
  /** The columns whose text could not be read and has the value of `else`, with that text. */
  replaced: { column: string; text: string }[];
  /** Dates that say only a month, a quarter or a year, and became its first day. */
  coarse: { column: string; text: string }[];
};

/** Everything that can be made ready once, is: expressions are compiled here. */
export function valueReader(mapping: Mapping): ReadValues {
  const [clean, cleanList] = [cleaner(mapping), listCleaner(mapping)];
  const readers = Object.entries(mapping.values)
    .map(([name, rule]) => ({ name, rule, read: readerOf(rule, mapping.empty) }))
    // An amount whose rate depends on a date is read after it.
    .toSorted((a, b) => Number(a.rule.currency?.year !== undefined) - Number(b.rule.currency?.year !== undefined));

  return (row) => {
    const values: Record<string, Value> = {};
    const problems: { field: string; reason: string }[] = [];
    const replaced: { column: string; text: string }[] = [];
    const coarse: { column: string; text: string }[] = [];
    const readColumn: ReadColumn = (column) => clean(row[column] ?? "");
    const readList: ReadColumn = (column) => cleanList(row[column] ?? "");
    for (const { name, rule, read } of readers) {
      const outcome = read(row, values, rule.as === "list" ? readList : readColumn);
      if ("value" in outcome) {
        values[name] = outcome.value;
        if (outcome.coarse !== undefined) coarse.push({ column: shownColumns(rule), text: outcome.coarse });
      } else if (rule.else !== undefined) {
        values[name] = rule.else;
        replaced.push({ column: shownColumns(rule), text: outcome.text });
      } else problems.push({ field: shownColumns(rule), reason: outcome.reason });
    }
    return { values, problems, replaced, coarse };
  };
}

/** Why a value of a row is null. */
export function nullReason(rule: ValueRule, row: Row, mapping: Mapping): string {
  const clean = cleaner(mapping);
  const texts = rule.column.map((column) => clean(row[column] ?? ""));
  const columns = quoted(rule.column);
  const [noun, is, has] = rule.column.length === 1 ? ["column", "is", "has"] : ["columns", "are", "have"];
  if (texts.every((text) => text === "")) return `${noun} ${columns} ${is} empty`;
  const shown = quoted(texts);
  return `${noun} ${columns} ${has} ${shown}, which the mapping reads as empty`;
}

const shownColumns = (rule: ValueRule) => rule.column.join(", ");

const oneLine = (text: string) => text.replace(/\s+/gu, " ").trim();

const cleaner = (mapping: Mapping) => (text: string) =>
  oneLine(mapping.decode_escapes ? decodeEscapes(joined(text)) : joined(text));

/** A list of JSON as one text. */
const joined = (text: string) => (text.includes(ITEM_END) ? text.split(ITEM_END).filter(Boolean).join(", ") : text);

/** Line breaks stay in lists, because they may separate the items. */
const listCleaner = (mapping: Mapping) => {
  const clean = cleaner(mapping);
  return (text: string) => {
    const mark = text.includes(ITEM_END) ? ITEM_END : "\n";
    return text.trim().split(mark).map(clean).join(mark);
  };
};

function readerOf(
  rule: ValueRule,
  emptyTexts: readonly string[],
): (
  row: Row,
  values: Values,
  readColumn: ReadColumn,
) => { value: Value; coarse?: string } | { reason: string; text: string } {
  const conditions = rule.when.map(conditionReader);
  const replacements = rule.replace.map(([from, to]) => [new RegExp(from, "giu"), to] as const);
  const isEmpty = anyOf([...emptyTexts, ...rule.empty]);
  const cases = rule.cases.map(([fits, result]) => [whole(fits), result] as const);
  const convert = converter(rule);
  const isItem = (item: unknown) => !isEmpty(String(item));
  const fallback = rule.default ?? null;

  const valueOf: Convert = (text, values, readColumn) => {
    const hit = cases.find(([fits]) => fits.test(text));
    if (hit) return { value: hit[1] };
    if (rule.otherwise !== undefined) return { value: rule.otherwise };
    return convert(text, values, readColumn);
  };

  return (row, values, readColumn) => {
    const texts = conditions.every((holds) => holds(row))
      ? rule.column
          .map((column) =>
            replacements.reduce((so_far, [from, to]) => so_far.replace(from, to), readColumn(column)).trim(),
          )
          .filter((text) => text !== "" && !isEmpty(text))
      : [];
    if (rule.as === "list") {
      const lists = texts.map((text) => valueOf(text, values, readColumn) as { value: Value });
      return {
        value: uniqueItems(
          lists
            .flatMap(({ value }) => value ?? [])
            .map(String)
            .filter(isItem),
        ),
      };
    }
    if (texts.length === 0) return { value: fallback };
    const text = rule.join === undefined ? texts[0]! : texts.join(rule.join);
    const converted = valueOf(text, values, readColumn);
    if (!("value" in converted)) return { ...converted, text };
    return { value: converted.value ?? fallback, ...(converted.isCoarse ? { coarse: text } : {}) };
  };
}

function converter(rule: ValueRule): Convert {
  switch (rule.as) {
    case "text":
      return (text) => ({ value: text });
    case "label":
      return (text) => ({ value: keyOf(text.replaceAll("+", " plus")).replaceAll("-", "_") || null });
    case "country":
      return (text) => ({ value: countryIn(text) ?? text });
    case "date": {
      const formats = rule.formats ?? ["yyyy-MM-dd"];
      const readDate = wholeDateReader(formats);
      return (text) => {
        const date = readDate(text);
        return date === undefined
          ? { reason: `'${text}' is not a valid date of the form ${formats.join(" or ")}` }
          : { value: date.day, isCoarse: !date.isWhole };
      };
    }
    case "number":
      return (text) => {
        const [sign, digits] = /^[-−]/.test(text) ? ["-", text.slice(1).trim()] : ["", text];
        const read =
          /^[\d.,\s'’_]+$/.test(digits) && /\d/.test(digits) ? readDigits(digits, rule.decimal ?? ".") : undefined;
        if (read === undefined) return { reason: `'${text}' is not a valid number` };
        return "reason" in read ? read : { value: Number(`${sign}${read.text}`) };
      };
    case "amount":
      return amountConverter(rule);
    case "list": {
      const separator = rule.separator === undefined ? undefined : new RegExp(rule.separator, "iu");
      const leftOut = anyOf(rule.leave_out ?? []);
      return (text) => {
        const parts = text.includes(ITEM_END)
          ? text.split(ITEM_END)
          : separator
            ? text.split(separator)
            : splitAtCommas(text);
        const items = parts.map((part) => oneLine(part ?? ""));
        return { value: items.filter((item) => keyOf(item) !== "" && !leftOut(keyOf(item))) };
      };
    }
  }
}

/** Amounts are US dollars: another currency needs a rate. */
function amountConverter({ decimal, decimals = 2, factor = 1, currency = { rates: {} } }: ValueRule): Convert {
  const { column, is, rates, year } = currency;
  return (text, values, readColumn) => {
    const read = readAmount(text, decimal);
    if (!read.ok) return read;
    const written = (column === undefined ? "" : readColumn(column)) || is;
    if (column !== undefined && !written && read.currency === undefined)
      return { reason: `'${text}' has no currency: column '${column}' is empty` };
    const given = written ? currencyOf(written) : undefined;
    if (written && given === undefined) return { reason: unknownCurrency(written) };
    const agreed = agreedCurrency(read.currency, given);
    if ("reason" in agreed) return { reason: `'${text}' ${agreed.reason}` };
    const date = year === undefined ? null : values[year];
    const rate = rateOf(agreed.code, rates, typeof date === "string" ? date.slice(0, 4) : undefined);
    if ("reason" in rate) return { reason: `'${text}' ${rate.reason}` };
    return { value: roundTo(decimals, read.amount * rate.rate * factor) };
  };
}

/** Items that differ only in case are one. */
function uniqueItems(items: readonly string[]): string[] {
  const unique = new Map<string, string>();
  for (const item of items) if (!unique.has(item.toLowerCase())) unique.set(item.toLowerCase(), item);
  return [...unique.values()];
}

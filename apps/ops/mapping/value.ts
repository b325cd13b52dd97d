import { keyOf } from "@tranche/shared/text/key";
import { DateTime } from "luxon";
import { parseAmount } from "./amount.ts";
import { decodeEscapes } from "./escapes.ts";
import type { Mapping, ValueRule } from "./mapping.ts";

export type Value = string | number | boolean | null | string[];

/** Reads the values of a row, by the name they have in the mapping. A text that can't be read goes to `problems`. */
export type ReadValues = (
  row: Readonly<Record<string, string>>,
  problem: (column: string, reason: string) => void,
) => Record<string, Value>;

/** Everything that can be made ready once, is: patterns are compiled here. */
export function valueReader(mapping: Mapping): ReadValues {
  const clean = (text: string) => (mapping.decode_escapes ? decodeEscapes(text) : text).replace(/\s+/gu, " ").trim();
  const readers = Object.entries(mapping.values).map(([name, rule]) => ({
    name,
    column: rule.column,
    read: readerOf(rule, mapping.empty),
  }));

  return (row, problem) => {
    const values: Record<string, Value> = {};
    for (const { name, column, read } of readers) {
      const text = row[column];
      if (text === undefined) problem(column, "there is no such column");
      else values[name] = read(clean(text), (reason) => problem(column, reason));
    }
    return values;
  };
}

function readerOf(
  rule: ValueRule,
  emptyTexts: readonly string[],
): (text: string, problem: (reason: string) => void) => Value {
  const replacements = (rule.replace ?? []).map(([from, to]) => [new RegExp(from, "giu"), to] as const);
  const isEmpty = anyOf([...emptyTexts, ...(rule.empty ?? [])]);
  const cases = (rule.cases ?? []).map(([fits, result]) => [whole(fits), result] as const);
  const convert = converter(rule);

  return (raw, problem) => {
    const text = replacements.reduce((so_far, [from, to]) => so_far.replace(from, to), raw).trim();
    const fallback = rule.default ?? null;
    if (text === "" || isEmpty(text)) return rule.as === "list" ? [] : fallback;
    const hit = cases.find(([fits]) => fits.test(text));
    if (hit) return hit[1] ?? fallback;
    if (rule.otherwise !== undefined) return rule.otherwise ?? fallback;
    return convert(text, problem) ?? fallback;
  };
}

function converter(rule: ValueRule): (text: string, problem: (reason: string) => void) => Value {
  switch (rule.as) {
    case "text":
      return (text) => text;
    case "label":
      return (text) => keyOf(text.replaceAll("+", " plus")).replaceAll("-", "_");
    case "amount":
      return (text, problem) => {
        const amount = parseAmount(text, rule.decimal_mark, rule.decimals);
        if (amount === undefined) problem(`'${text}' is no amount`);
        return amount ?? null;
      };
    case "date":
      return (text, problem) => {
        const formats = rule.formats ?? ["yyyy-MM-dd"];
        for (const format of formats) {
          const date = DateTime.fromFormat(text, format, { zone: "utc", locale: "en" });
          if (date.isValid) return date.toISODate();
        }
        problem(`'${text}' is no date of the form ${formats.join(" or ")}`);
        return null;
      };
    case "list": {
      const separator = new RegExp(rule.separator, "iu");
      const leftOut = anyOf(rule.leave_out);
      return (text) => {
        const items = new Map<string, string>();
        for (const item of text.split(separator).map((part) => (part ?? "").trim())) {
          const key = keyOf(item);
          if (key !== "" && !leftOut(key) && !items.has(key)) items.set(key, item);
        }
        return [...items.values()];
      };
    }
  }
}

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`, "iu");

function anyOf(patterns: readonly string[]): (text: string) => boolean {
  if (patterns.length === 0) return () => false;
  const any = whole(patterns.map((pattern) => `(?:${pattern})`).join("|"));
  return (text) => any.test(text);
}

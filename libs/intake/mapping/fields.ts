import type { RecordRule } from "./schema.ts";
import { templateReader } from "./template.ts";
import type { Value, Values } from "./value.ts";

/** An object in a list, such as `{investor_id, is_lead}`. */
export type Item = Readonly<Record<string, Value>>;
export type FieldValue = Value | (string | Item)[];
export type Fields = Record<string, FieldValue>;

/** Fields of records that are lists: one value becomes a list of one. */
export const LIST_FIELDS = ["aliases", "tech_stack", "investor_ids", "investors"] as const;

/** Makes the fields of a record from values. Lists have each item once; null is left out of them. */
export function fieldsReader(rule: RecordRule): (values: Values, numberOf: (text: string) => number) => Fields {
  const readers = Object.entries(rule.fields).map(([name, template]) => {
    if (Array.isArray(template)) return [name, listReader(template)] as const;
    const read = templateReader(template);
    const isList = (LIST_FIELDS as readonly string[]).includes(name);
    return [name, isList ? listOf(read) : read] as const;
  });
  return (values, numberOf) => Object.fromEntries(readers.map(([name, read]) => [name, read(values, numberOf)]));
}

type Reader<T> = (values: Values, numberOf: (text: string) => number) => T;

const listOf =
  (read: Reader<Value>): Reader<FieldValue> =>
  (values, numberOf) => {
    const value = read(values, numberOf);
    return value === null ? null : united([], asList(value) as string[]);
  };

function listReader(templates: Extract<RecordRule["fields"][string], unknown[]>): Reader<FieldValue> {
  const readers = templates.map((template): Reader<(string | Item)[]> => {
    if (typeof template === "string") {
      const read = templateReader(template);
      return (values, numberOf) => asList(read(values, numberOf)) as string[];
    }
    const { for_each: list, ...fields } = template;
    const entries = Object.entries(fields).map(([name, field]) => [name, templateReader(field)] as const);
    return (values, numberOf) => {
      const items = list === undefined ? [null] : asList(values[String(list)] ?? null);
      return items
        .map((item) => Object.fromEntries(entries.map(([name, read]) => [name, read({ ...values, item }, numberOf)])))
        .filter((item) => item["investor_id"] !== null);
    };
  });
  return (values, numberOf) =>
    united(
      [],
      readers.flatMap((read) => read(values, numberOf)),
    );
}

/** Both lists, each item once; an investor is the lead if either says so. */
export function united(earlier: readonly (string | Item)[], added: readonly (string | Item)[]): (string | Item)[] {
  const items = new Map<unknown, string | Item>();
  for (const item of [...earlier, ...added]) {
    const key = typeof item === "object" ? item["investor_id"] : item;
    const same = items.get(key);
    if (same === undefined || (typeof item === "object" && item["is_lead"] === true)) items.set(key, item);
  }
  return [...items.values()];
}

export function asList(value: Value): Value[] {
  return Array.isArray(value) ? value : value === null ? [] : [value];
}

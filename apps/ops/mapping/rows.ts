import type { RecordProblem } from "@tranche/shared/records/parse";
import { keyOf } from "@tranche/shared/text/key";
import type { Mapping, RecordRule } from "./mapping.ts";
import { type Value, valueReader } from "./value.ts";

export type MappedRow =
  | { kind: "records"; values: unknown[] }
  | { kind: "refused"; problems: RecordProblem[] }
  | { kind: "skipped" };

type Fields = Record<string, Value>;

/**
 * Turns rows, in their order, into records. It remembers what rows repeat: merged records, numbers of equal ids and, when asked to,
 * rows; so memory grows with the different ones among them.
 */
export function createRowMapper(mapping: Mapping): (row: Readonly<Record<string, string>>) => MappedRow {
  const readValues = valueReader(mapping);
  const skips = mapping.skip.map(({ column, fits }) => ({ column, fits: new RegExp(`^(?:${fits})$`, "iu") }));
  const seenRows = new Set<string>();
  const merged = new Map<string, Fields>();
  const numbers = new Map<string, number>();

  const isSkipped = (row: Readonly<Record<string, string>>): boolean => {
    if (skips.some(({ column, fits }) => fits.test(row[column] ?? ""))) return true;
    if (!mapping.drop_duplicate_rows) return false;
    const whole = JSON.stringify(Object.values(row));
    if (seenRows.has(whole)) return true;
    seenRows.add(whole);
    return false;
  };

  /** The record as far as it says something new. */
  const mergedWithEarlier = (type: string, fields: Fields): Fields | undefined => {
    const id = JSON.stringify([type, fields["id"]]);
    const earlier = merged.get(id);
    if (!earlier) {
      merged.set(id, fields);
      return fields;
    }
    const added = Object.entries(fields).filter(([name, value]) => value !== null && earlier[name] === null);
    if (added.length === 0) return undefined;
    Object.assign(earlier, Object.fromEntries(added));
    return earlier;
  };

  const recordsOf = (rule: RecordRule, values: Fields): object[] => {
    const items = rule.for_each === undefined ? [null] : asList(values[rule.for_each] ?? null);
    return items.flatMap((item) => {
      const fields: Fields = {};
      for (const [name, template] of Object.entries(rule.fields)) {
        fields[name] = fill(template, { ...values, item }, (text) => {
          const count = (numbers.get(text) ?? 0) + 1;
          numbers.set(text, count);
          return count;
        });
      }
      const kept = rule.merge ? mergedWithEarlier(rule.type, fields) : fields;
      return kept ? [{ type: rule.type, ...kept }] : [];
    });
  };

  return (row) => {
    if (isSkipped(row)) return { kind: "skipped" };
    const problems: RecordProblem[] = [];
    const values = readValues(row, (field, reason) => problems.push({ field, reason }));
    if (problems.length > 0) return { kind: "refused", problems };
    return { kind: "records", values: mapping.records.flatMap((rule) => recordsOf(rule, values)) };
  };
}

const PLACE = /\{([^{}:]*)(:key)?\}/g;
const ALONE = /^\{([^{}:]*)(:key)?\}$/;

/** Fills a template in. Where a value in it is null the whole is null; a list in a text gives a list of texts. */
function fill(template: string | number | boolean | null, values: Fields, numberOf: (text: string) => number): Value {
  if (typeof template !== "string") return template;
  const alone = ALONE.exec(template);
  if (alone && !alone[2]) return values[alone[1]!] ?? null;
  const places = [...template.matchAll(PLACE)].map((place) => ({ name: place[1]!, asKey: place[2] !== undefined }));
  const list = places.find(({ name }) => Array.isArray(values[name]));
  if (list)
    return asList(values[list.name]!).map((item) => String(fill(template, { ...values, [list.name]: item }, numberOf)));
  if (places.some(({ name }) => name !== "n" && (values[name] ?? null) === null)) return null;
  const text = template.replace(PLACE, (place, name: string, asKey: string | undefined) => {
    if (name === "n") return place;
    const shown = String(values[name]);
    return asKey ? keyOf(shown) : shown;
  });
  return text.includes("{n}") ? text.replace("{n}", String(numberOf(text))) : text;
}

function asList(value: Value): Value[] {
  return Array.isArray(value) ? value : value === null ? [] : [value];
}

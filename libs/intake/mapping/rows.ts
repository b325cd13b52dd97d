import { parseRecord, type RecordProblem } from "@tranche/shared/domain/records/parse";
import { conditionReader, type Row } from "./condition.ts";
import { asList, type Fields, type FieldValue, fieldsReader } from "./fields.ts";
import { mergedFields } from "./merged.ts";
import { explained } from "./refused.ts";
import type { Mapping, RecordRule } from "./schema.ts";
import { isLikelySum, isSum } from "./totals.ts";
import { type Values, valueReader } from "./value.ts";

export type RowNote =
  /** A text that could not be read became the value of `else`. */
  | { kind: "unreadable"; column: string; text: string }
  /** A date that says no day became the first day of its month, quarter or year. */
  | { kind: "coarse_date"; column: string; text: string }
  /** A merged record has another value from an earlier row, which stays. */
  | { kind: "differing"; field: string };

/**
 * The result of a row: records (`filled`: records of earlier rows with more fields; both may be empty when the row repeats known
 * data), a refusal of the whole row, or a row that the mapping leaves out.
 */
type MappedRow =
  | { kind: "records"; values: object[]; filled: object[]; notes: RowNote[] }
  | { kind: "refused"; problems: RecordProblem[] }
  | { kind: "skipped" };

/** The vocabularies with which records are checked. */
export type Vocabulary = Parameters<typeof parseRecord>[1];

/**
 * Turns rows, in order, into records. It keeps merged records, the numbers of equal ids and, if requested, the rows, so memory grows
 * with the distinct ones. A refused row changes no merged record.
 */
export function createRowMapper(mapping: Mapping, vocabulary: Vocabulary): (row: Row) => MappedRow {
  const readValues = valueReader(mapping);
  const skips = mapping.skip.map(conditionReader);
  const rules = mapping.records.map((rule) => ({
    rule,
    conditions: rule.when.map(conditionReader),
    readFields: fieldsReader(rule),
  }));
  const seenRows = new Set<string>();
  const merged = new Map<string, Fields>();
  const numbers = new Map<string, number>();

  const check = (record: object): RecordProblem[] => {
    const outcome = parseRecord(record, vocabulary);
    return outcome.ok ? [] : outcome.problems;
  };

  const numberOf = (text: string): number => {
    const count = (numbers.get(text) ?? 0) + 1;
    numbers.set(text, count);
    return count;
  };

  const isSkipped = (row: Row): boolean => {
    // Spreadsheets write lines of delimiters alone.
    if (Object.values(row).every((text) => text.trim() === "")) return true;
    if (skips.some((holds) => holds(row))) return true;
    if (!mapping.drop_duplicate_rows) return false;
    const whole = JSON.stringify(Object.values(row));
    if (seenRows.has(whole)) return true;
    seenRows.add(whole);
    return false;
  };

  const fieldsOf = (row: Row, values: Values): { rule: RecordRule; fields: Fields; item: Values }[] =>
    rules
      .filter(({ conditions }) => conditions.every((holds) => holds(row)))
      .flatMap(({ rule, readFields }) => {
        const items = rule.for_each === undefined ? [null] : asList(values[rule.for_each] ?? null);
        return items.map((item) => ({
          rule,
          item: { ...values, item },
          fields: readFields({ ...values, item }, numberOf),
        }));
      });

  return (row) => {
    if (isSkipped(row)) return { kind: "skipped" };
    const { values, problems, replaced, coarse } = readValues(row);
    if (problems.length > 0) return { kind: "refused", problems };
    const made = fieldsOf(row, values);
    if (made.length === 0) return { kind: "skipped" };

    const notes: RowNote[] = [
      ...replaced.map((text): RowNote => ({ kind: "unreadable", ...text })),
      ...coarse.map((text): RowNote => ({ kind: "coarse_date", ...text })),
    ];
    const written: object[] = [];
    const staged = new Map<string, { record: object; fields: Fields; isNew: boolean }>();
    for (const { rule, fields, item } of made) {
      const problemsOf = (record: object) => explained(check(record), { rule, mapping, row, values: item });
      const key = rule.merge ? JSON.stringify([rule.type, fields["id"]]) : "";
      const earlier = rule.merge ? (staged.get(key)?.fields ?? merged.get(key)) : undefined;
      if (!earlier) {
        const record = recordOf(rule, fields);
        problems.push(...problemsOf(record));
        if (rule.type === "company") problems.push(...sumProblems(fields["name"], made));
        if (rule.merge) staged.set(key, { record, fields, isNew: true });
        else written.push(record);
        continue;
      }
      const { fields: whole, changed, differing } = mergedFields(earlier, fields);
      // The values of earlier rows were checked with these rows.
      if (!changed && differing.length === 0) continue;
      problems.push(...problemsOf(recordOf(rule, { ...earlier, ...withoutNulls(fields) })));
      for (const field of differing) notes.push({ kind: "differing", field: `${rule.type}.${field}` });
      if (!changed) continue;
      const record = recordOf(rule, whole);
      if (problems.length === 0) problems.push(...problemsOf(record));
      staged.set(key, { record, fields: whole, isNew: staged.get(key)?.isNew ?? false });
    }
    if (problems.length > 0) return { kind: "refused", problems };
    for (const [key, { fields }] of staged) merged.set(key, fields);
    const changes = [...staged.values()];
    return {
      kind: "records",
      values: [...changes.filter(({ isNew }) => isNew).map(({ record }) => record), ...written],
      filled: changes.filter(({ isNew }) => !isNew).map(({ record }) => record),
      notes,
    };
  };
}

/** A record as it is ingested. With the operation `merge`, fields that a row does not have stay as they are stored. */
function recordOf({ type, op }: RecordRule, fields: Fields): object {
  if (op === "upsert") return { type, ...fields };
  return { type, op, ...withoutNulls(fields) };
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

/** Fields that a row of totals leaves empty. */
const DESCRIBING = ["country", "city", "category", "domain", "deal_type", "investor_ids", "investors"];
const isEmpty = (value: FieldValue | undefined) => value === null || (Array.isArray(value) && value.length === 0);

/** What is wrong with a company that is named like a total, in a row that describes nothing. */
function sumProblems(name: FieldValue | undefined, made: readonly { fields: Fields }[]): RecordProblem[] {
  if (typeof name !== "string" || !isLikelySum(name)) return [];
  const described = made.flatMap(({ fields }) =>
    DESCRIBING.filter((field) => field in fields).map((field) => ({ field, value: fields[field] })),
  );
  if (described.some(({ value }) => !isEmpty(value)) || (described.length === 0 && !isSum(name))) return [];
  const lacking = [...new Set(described.map(({ field }) => field))].join(", ");
  const reason = `'${name}'${lacking === "" ? "" : ` without ${lacking}`} sums up other rows: leave it out with "skip" in the mapping`;
  return [
    {
      field: "company.name",
      reason: lacking === "" ? reason : `${reason}, or, if it is a company, fill one of them in`,
    },
  ];
}

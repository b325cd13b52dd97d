import { parseRecord } from "@tranche/shared/domain/records/parse";
import type { RecordType, RecordWrite } from "@tranche/shared/domain/records/record";
import { daysOf, observedNow } from "@tranche/shared/domain/records/snapshots";
import type { StoredMerge, StoredRecord, StoredSnapshot } from "@tranche/shared/domain/records/stored";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import type { BulkItem } from "@tranche/shared/engines/search/bulk-part";
import { withMerges } from "@tranche/shared/engines/search/records";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeItem, recordItem, snapshotItems } from "./documents.ts";

const names = indexNames("test");
const context = { dealTypes: dealTypes(), today: "2025-06-15" };

type Line = { type: RecordType; op: string; id: string; version: number } & Record<string, unknown>;

function write(line: Line): RecordWrite {
  const outcome = parseRecord(line, context);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  const { type, id, body, merge } = outcome.record;
  return {
    type,
    id,
    version: line.version,
    updated_at: "2025-06-15T00:00:00Z",
    ...(merge ? { merge } : { body }),
  } as RecordWrite;
}

/** An index in which documents have external versions, as in Elasticsearch. */
function createIndex() {
  const kept = new Map<string, { version: number; document: object }>();
  return {
    put(item: BulkItem | undefined) {
      if (!item) return;
      const { id, document, version } = item;
      const before = kept.get(id)?.version ?? -1;
      const { number, type } = version!;
      if (type === "external" ? number > before : number >= before)
        kept.set(id, { version: number, document: document! });
    },
    documents: <T>() => [...kept.values()].map(({ document }) => document as T),
  };
}

/** The records that result from writes in this order of arrival, from the documents that the indexer stores. */
function stored(type: RecordType, writes: readonly RecordWrite[]): Record<string, unknown> {
  return Object.fromEntries([...recordsOf(type, writes)].map(([id, record]) => [id, withoutDay(record.body!)]));
}

function recordsOf<T extends RecordType>(type: T, writes: readonly RecordWrite[]): Map<string, StoredRecord<T>> {
  const [records, merges] = [createIndex(), createIndex()];
  for (const each of writes) {
    merges.put(mergeItem(names, each));
    records.put(recordItem(names, each));
  }
  const ofRecords = Map.groupBy(merges.documents<StoredMerge>(), (merge) => merge.record_id);
  return withMerges(type, records.documents<StoredRecord<T>>(), ofRecords);
}

/** Leaves out the day of observation, which is today unless a write names another. */
function withoutDay(body: object): object {
  const { observed_at: _, ...rest } = body as { observed_at?: string };
  return rest;
}

const REQUIRED = { company: ["name"], investor: ["name"], round: ["company_id", "announced_date", "amount_usd"] };

/** The expected records: the lines applied one after another in the order of their versions. */
function meant(type: keyof typeof REQUIRED, lines: readonly Line[]): Record<string, unknown> {
  const state = new Map<string, { there: boolean; fields: Record<string, unknown> }>();
  for (const { type: _, op, version: __, ...fields } of lines.toSorted((a, b) => a.version - b.version)) {
    const before = state.get(fields.id) ?? { there: false, fields: {} };
    if (op === "delete") state.set(fields.id, { there: false, fields: {} });
    else if (op === "upsert") state.set(fields.id, { there: true, fields });
    else {
      const all = { ...before.fields, ...fields };
      state.set(fields.id, { there: before.there || REQUIRED[type].every((field) => field in all), fields: all });
    }
  }
  const there = [...state].filter(([, record]) => record.there);
  return Object.fromEntries(
    there.map(([id, { fields }]) => [
      id,
      withoutDay(write({ ...fields, type, op: "upsert", version: 1 } as Line).body!),
    ]),
  );
}

const optional = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });

const NAME = fc.constantFrom("Acme", "Beta", "Gamma");
const DAY = fc.constantFrom("2025-01-01", "2025-02-02");

/** Each name has a slug, because otherwise the slug remains that of the last upsert's name. */
const FIELDS: Record<keyof typeof REQUIRED, { required: fc.Arbitrary<object>; some: fc.Arbitrary<object> }> = {
  company: {
    required: fc.record({ name: NAME, slug: NAME }),
    some: optional({
      name: NAME,
      slug: NAME,
      city: fc.option(NAME),
      aliases: fc.array(NAME, { maxLength: 2 }),
      country: fc.constantFrom("US", "DE", null),
      headcount: fc.option(fc.nat(9)),
      tech_stack: fc.option(fc.array(NAME, { maxLength: 2 })),
    }),
  },
  investor: {
    required: fc.record({ name: NAME, slug: NAME }),
    some: optional({ name: NAME, slug: NAME, kind: fc.option(NAME), aliases: fc.array(NAME, { maxLength: 2 }) }),
  },
  round: {
    required: fc.record({ company_id: NAME, announced_date: DAY, amount_usd: fc.option(fc.nat(9)) }),
    some: optional({
      company_id: NAME,
      announced_date: DAY,
      amount_usd: fc.option(fc.nat(9)),
      deal_type: fc.constantFrom("seed", "Auction", null),
      investor_ids: fc.uniqueArray(NAME),
    }),
  },
};

/** Lines of a type with versions in their order, and an order of arrival in which each comes at least once, and some twice. */
function arrivals(type: RecordType, line: fc.Arbitrary<object>): fc.Arbitrary<{ lines: Line[]; arrived: Line[] }> {
  const writes = fc.array(fc.tuple(fc.constantFrom("id-1", "id-2"), line), { minLength: 1, maxLength: 10 });
  return writes.chain((all) => {
    const lines = all.map(([id, fields], version) => ({ type, id, version, ...fields }) as Line);
    const order = fc.shuffledSubarray([...lines, ...lines], { minLength: lines.length });
    const arrived = order.map((early) => [...early, ...lines.filter((each) => !early.includes(each))]);
    return fc.record({ lines: fc.constant(lines), arrived });
  });
}

describe("merges", () => {
  test.for(["company", "investor", "round"] as const)(
    "of a %s give the same record in every order of arrival: the writes in the order of their versions",
    { timeout: 30_000 },
    (type) => {
      const { required, some } = FIELDS[type];
      const merge = some.filter((fields) => Object.keys(fields).length > 0);
      const whole = fc.tuple(some, required).map(([a, b]) => ({ ...a, ...b }));
      const line = fc.oneof(
        { weight: 3, arbitrary: merge.map((fields) => ({ op: "merge", ...fields })) },
        { weight: 1, arbitrary: whole.map((fields) => ({ op: "merge", ...fields })) },
        { weight: 2, arbitrary: whole.map((fields) => ({ op: "upsert", ...fields })) },
        { weight: 1, arbitrary: fc.constant({ op: "delete" }) },
      );
      fc.assert(
        fc.property(arrivals(type, line), ({ lines, arrived }) => {
          expect(stored(type, arrived.map(write))).toEqual(meant(type, lines));
        }),
        { numRuns: 500 },
      );
    },
  );

  test("apply on top of an upsert of the same version, and not after a delete of the same version", () => {
    const upsert = write({ type: "company", op: "upsert", id: "co", version: 5, name: "Acme", city: "Paris" });
    const merge = write({ type: "company", op: "merge", id: "co", version: 5, name: "Beta", slug: "beta" });
    const deletion = write({ type: "company", op: "delete", id: "co", version: 5 });
    for (const order of [
      [upsert, merge],
      [merge, upsert],
    ]) {
      expect(stored("company", order)).toMatchObject({ co: { name: "Beta", city: "Paris" } });
    }
    for (const order of [
      [deletion, merge],
      [merge, deletion],
    ]) {
      expect(stored("company", order)).toEqual({});
    }
  });
});

type Observations = { days: Record<string, object>; shown: unknown };

/** The observations that result from writes in this order of arrival, and what each company that is there shows of them. */
function observations(writes: readonly RecordWrite[]): Record<string, Observations> {
  const snapshots = createIndex();
  for (const each of writes) for (const item of snapshotItems(names, each)) snapshots.put(item);
  const companies = recordsOf("company", writes);
  const all = Map.groupBy(snapshots.documents<StoredSnapshot>(), ({ company_id }) => company_id);
  return Object.fromEntries(
    [...all, ...[...companies.keys()].map((id) => [id, all.get(id) ?? []] as const)].map(([id, documents]) => {
      const days = daysOf(documents);
      const body = companies.get(id)?.body;
      return [
        id,
        {
          days: Object.fromEntries(days.map(({ observed_at, ...day }) => [observed_at, day])),
          shown: body ? observedNow(body, days) : null,
        },
      ];
    }),
  );
}

/** The expected observations: the lines applied one after another in the order of their versions. */
function meantObservations(lines: readonly Line[]): Record<string, Observations> {
  type Fields = { tech_stack?: string[] | null; headcount?: number | null; observed_at?: string; name?: string };
  type Days = Record<string, { technologies: string[] | null; headcount: number | null }>;
  const companies: Record<string, { there: boolean; fields: Fields; days: Days }> = {};
  for (const { op, id, ...line } of lines.toSorted((a, b) => a.version - b.version)) {
    const fields = line as Fields;
    const company = (companies[id] ??= { there: false, fields: {}, days: {} });
    if (op === "delete") {
      companies[id] = { there: false, fields: {}, days: {} };
      continue;
    }
    company.fields = op === "upsert" ? fields : { ...company.fields, ...fields };
    company.there ||= company.fields.name !== undefined;
    const { tech_stack = null, headcount = null, observed_at = context.today } = fields;
    if (tech_stack === null && headcount === null) continue;
    const day = (company.days[observed_at] ??= { technologies: null, headcount: null });
    day.technologies = tech_stack ?? day.technologies;
    day.headcount = headcount ?? day.headcount;
  }
  const last = (days: Days, field: "technologies" | "headcount") => {
    const observed_at = Object.keys(days)
      .filter((day) => days[day]![field] !== null)
      .toSorted()
      .at(-1)!;
    return { value: days[observed_at]![field], observed_at };
  };
  return Object.fromEntries(
    Object.entries(companies).map(([id, { there, fields, days }]) => {
      const shown = {
        technologies: (fields.tech_stack ?? null) === null ? null : last(days, "technologies"),
        headcount: (fields.headcount ?? null) === null ? null : last(days, "headcount"),
      };
      return [id, { days, shown: there ? shown : null }];
    }),
  );
}

test(
  "stacks and headcounts count by their days and versions in every order of arrival, and end with a delete",
  { timeout: 30_000 },
  () => {
    const seen = optional({
      headcount: fc.option(fc.nat(9)),
      tech_stack: fc.option(fc.array(NAME, { maxLength: 2 })),
      observed_at: fc.constantFrom("2025-01-01", "2025-02-02", "2025-03-03"),
    });
    const line = fc.oneof(
      { weight: 3, arbitrary: seen.map((fields) => ({ op: "upsert", name: "Acme", ...fields })) },
      { weight: 2, arbitrary: seen.map((fields) => ({ op: "merge", city: "Oslo", ...fields })) },
      { weight: 1, arbitrary: fc.constant({ op: "delete" }) },
    );
    const none = ({ days, shown }: Observations) => Object.keys(days).length === 0 && shown === null;
    const some = (all: Record<string, Observations>) =>
      Object.fromEntries(Object.entries(all).filter(([, each]) => !none(each)));
    fc.assert(
      fc.property(arrivals("company", line), ({ lines, arrived }) => {
        expect(some(observations(arrived.map(write)))).toEqual(some(meantObservations(lines)));
      }),
      { numRuns: 1000 },
    );
  },
);

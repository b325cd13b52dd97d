import { parseRecord } from "@tranche/shared/records/parse";
import type { RecordType, RecordWrite } from "@tranche/shared/records/record";
import type { StoredMerge, StoredRecord } from "@tranche/shared/records/stored";
import { indexNames } from "@tranche/shared/search/index-names";
import type { BulkItem } from "@tranche/shared/search/bulk-part";
import { withMerges } from "@tranche/shared/search/records";
import { dealTypes } from "@tranche/shared/vocabulary/deal-types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeItem, recordItem } from "./documents.ts";

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
  const [records, merges] = [createIndex(), createIndex()];
  for (const each of writes) {
    merges.put(mergeItem(names, each));
    records.put(recordItem(names, each));
  }
  const ofRecords = Map.groupBy(merges.documents<StoredMerge>(), (merge) => merge.record_id);
  const found = withMerges(type, records.documents<StoredRecord>(), ofRecords);
  return Object.fromEntries([...found].map(([id, record]) => [id, withoutDay(record.body!)]));
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
      const writes = fc.array(fc.tuple(fc.constantFrom("id-1", "id-2"), line), { minLength: 1, maxLength: 10 });
      const arrivals = writes.chain((all) => {
        const lines = all.map(([id, fields], version) => ({ type, id, version, ...fields }));
        // Each line arrives at least once, and some arrive twice.
        const order = fc.shuffledSubarray([...lines, ...lines], { minLength: lines.length });
        const arrived = order.map((early) => [...early, ...lines.filter((each) => !early.includes(each))]);
        return fc.record({ lines: fc.constant(lines), arrived });
      });
      fc.assert(
        fc.property(arrivals, ({ lines, arrived }) => {
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

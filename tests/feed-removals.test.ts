import { FIELD_GROUPS, type FieldGroup, keptField } from "@tranche/read-models/documents/field-groups";
import { movedField } from "@tranche/read-models/documents/change-tickets";
import { changesQuery, HIDDEN } from "@tranche/read-models/feed/changes-query";
import type { FeedPosition } from "@tranche/read-models/feed/position";
import { readModelIndex } from "@tranche/read-models/indices/mappings";
import type { Filter } from "@tranche/read-models/query/filters";
import { expect, test } from "vitest";
import { createRandom } from "./drills/random.ts";
import { withService } from "./support/with-service.ts";

/*
 * The search for changes beside the rules of tests/protocol/feed_protocol.py (`is_due`, `is_hidden`), for documents of all kinds: listed or
 * not, gone with and without the fields that they keep, and with groups of fields that have not moved since they were created.
 */
const { client, names } = withService();
const HORIZON = 50;
const [DOCUMENTS, READERS] = [1500, 40];
const FILTERS: Filter[] = [
  { is: true, field: "listed" },
  { anyOf: ["DE"], field: "country" },
  { bound: "gte", value: 50, field: "signal_score" },
  {
    either: [
      { anyOf: ["x"], field: "company_keys" },
      { anyOf: ["x"], field: "investor_keys" },
    ],
  },
];
/** The groups that the filters are about, and what a document has that meets their conditions, or not. */
const VALUES: Partial<Record<FieldGroup, (fits: boolean) => Record<string, unknown>>> = {
  listed: (fits) => ({ listed: fits }),
  place: (fits) => ({ country: fits ? "DE" : "US" }),
  signals: (fits) => ({ signal_score: fits ? 60 : 40 }),
  names: (fits) => ({ company_keys: ["y"], investor_keys: [fits ? "x" : "z"] }),
};
const GROUPS = Object.keys(VALUES) as FieldGroup[];

type Made = {
  id: string;
  changed: number;
  created: number;
  gone: boolean;
  /** By group; undefined where the fields of a document that is gone are not known. */
  fits: Record<string, boolean> | undefined;
  moved: Record<string, number>;
};

test("a removal is due or hidden for the documents that the rules name, and for no others", async () => {
  const random = createRandom(15);
  const made: Made[] = [];
  const operations: object[] = [];
  const index = names.generation("companies", new Date(0));
  for (let n = 0; n < DOCUMENTS; n++) {
    const gone = random.chance(0.4);
    const isKnown = !gone || random.chance(0.8);
    const fits = isKnown ? Object.fromEntries(GROUPS.map((group) => [group, random.chance(0.7)])) : undefined;
    const created = 1 + random.below(99);
    const tickets = FIELD_GROUPS.flatMap((group): [FieldGroup, number][] =>
      random.chance(0.4) ? [] : [[group, 1 + random.below(99)]],
    );
    const moved = {
      ...Object.fromEntries(FIELD_GROUPS.map((group) => [group, created])),
      ...Object.fromEntries(tickets),
    };
    const changed = Math.max(...Object.values(moved)) + random.below(5);
    const id = `c-${n}`;
    made.push({ id, changed, created, gone, fits, moved });
    const values = Object.entries(fits ?? {}).flatMap(([group, fit]) =>
      Object.entries(VALUES[group as FieldGroup]!(fit)).map(([field, value]) => [
        gone ? keptField(field) : field,
        value,
      ]),
    );
    operations.push(
      { index: { _id: id } },
      {
        company_id: id,
        ...(gone ? { gone: true } : {}),
        ...Object.fromEntries(values),
        changed,
        created,
        ...Object.fromEntries(tickets.map(([group, ticket]) => [movedField(group), ticket])),
      },
    );
  }
  await client.indices.create({ index, ...readModelIndex("companies", { shards: 1, replicas: 0 }) });
  const stored = await client.bulk({ index, operations, refresh: true });
  expect(stored.errors).toBe(false);

  const seen = { remove: 0, hidden: 0, upsert: 0 };
  for (let reader = 0; reader < READERS; reader++) {
    const asof = random.below(HORIZON + 1);
    const after: FeedPosition = { epoch: "e", asof, known: random.below(99), changed: random.below(HORIZON), id: "~" };
    const list = { filters: FILTERS, idField: "company_id", source: ["company_id"] };
    const request = changesQuery(list, after, { horizon: HORIZON, size: DOCUMENTS });
    const { hits } = (await client.search({ index, ...request })).hits;
    const found = new Map(hits.map((hit) => [hit._id!, (hit.matched_queries as string[] | undefined) ?? []]));
    for (const document of made.filter(({ changed }) => changed > after.changed)) {
      const wanted = kindOf(document, after);
      const matched = found.get(document.id) ?? [];
      const kind = ["upsert", HIDDEN, "remove"].find((name) => matched.includes(name)) ?? "nothing";
      expect([kind, document, after]).toEqual([wanted, document, after]);
      if (wanted !== "nothing") seen[wanted]++;
    }
  }
  expect(Object.values(seen).every((count) => count > 100)).toBe(true);
});

/** What a document above a position is to its reader, by the rules of the model. */
function kindOf({ changed, created, gone, fits, moved }: Made, after: FeedPosition) {
  const failing = GROUPS.filter((group) => fits?.[group] !== true).map((group) => moved[group]!);
  const isOnList = !gone && failing.length === 0;
  const haveMoved = failing.every((ticket) => ticket > after.asof);
  if (changed > HORIZON) {
    const isHidden = after.asof < HORIZON && failing.length > 0 && haveMoved && Math.min(...failing) <= HORIZON;
    return isHidden && !isOnList ? "hidden" : "nothing";
  }
  if (isOnList) return "upsert";
  const isKnown = created <= Math.max(after.changed, after.known) && Math.max(after.changed, after.known) > 0;
  return isKnown && haveMoved ? "remove" : "nothing";
}

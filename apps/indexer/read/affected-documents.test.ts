import type { Client } from "@elastic/elasticsearch";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { expect, test } from "vitest";
import { affectedDocuments, type DocumentIds } from "./affected-documents.ts";

const EDGES_EACH = 5;

/** An engine in which each round has belonged to five companies of its own, and no record is stored. */
const client = {
  count: async () => ({ count: 0, _shards: { total: 1, successful: 1, failed: 0 } }),
  search: async (request: {
    search_after?: unknown;
    query: { bool?: { filter: [unknown, { terms: { record_id: string[] } }] } };
  }) => {
    // Only edges are in it. Other searches have another query.
    const ids = request.search_after ? [] : (request.query.bool?.filter[1]?.terms.record_id ?? []);
    const hits = ids.flatMap((id) =>
      Array.from({ length: EDGES_EACH }, (_, n) => ({
        _id: `${id}-${n}`,
        sort: [id, `${id}-${n}`],
      })),
    );
    return { timed_out: false, _shards: { total: 1, successful: 1, failed: 0 }, hits: { hits } };
  },
} as unknown as Client;

test("the documents of the written records stay in the batch, and companies that are too many are passed on", async () => {
  const writes = Array.from({ length: 1280 }, (_, n) => ({ type: "round", id: `r${n}`, version: 1, body: null }));
  const passed: DocumentIds[] = [];
  const affected = await affectedDocuments(
    {
      client,
      names: indexNames("any"),
      passOn: async (more) => void passed.push(more),
      passToFanout: async () => expect.unreachable(),
    },
    writes as unknown as RecordWrite[],
  );
  expect(affected.rounds.size).toBe(1280);
  expect(passed.length).toBeGreaterThan(0);
  for (const { rounds, investors } of passed) expect([rounds.size, investors.size]).toEqual([0, 0]);
  const companies = [affected, ...passed].flatMap((each) => [...each.companies]);
  expect(new Set(companies).size).toBe(1280 * EDGES_EACH);
});

test("companies whose records are in the batch are not passed on, because they are derived with it", async () => {
  const rounds = Array.from({ length: 1280 }, (_, n) => `r${n}`);
  const companies = rounds.flatMap((id) => Array.from({ length: EDGES_EACH }, (_, n) => `${id}-${n}`));
  const write = (type: string) => (id: string) => ({ type, id, version: 1, body: null });
  const affected = await affectedDocuments(
    {
      client,
      names: indexNames("any"),
      passOn: async () => expect.unreachable(),
      passToFanout: async () => expect.unreachable(),
    },
    [...rounds.map(write("round")), ...companies.map(write("company"))] as unknown as RecordWrite[],
  );
  expect([affected.rounds.size, affected.companies.size]).toEqual([rounds.length, companies.length]);
});

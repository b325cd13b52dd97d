import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { ChangeLog } from "../apps/api/cache/change-log.ts";
import { createValidatedCache } from "../apps/api/cache/validated-cache.ts";
import { createSingleFlight } from "../apps/api/cache/single-flight.ts";
import { FUNDING_SORTS } from "../libs/read-models/parameters/funding.ts";
import { SIGNALS_SORTS } from "../libs/read-models/parameters/signals.ts";
import { anyOf, atLeast, type Filter } from "@tranche/read-models/query/filters";
import type { BucketList } from "../apps/api/paging/bucket-lists.ts";
import { createPager } from "../apps/api/paging/pager.ts";
import { createSearch } from "../apps/api/search/search.ts";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENGINES } from "./support/engines.ts";
import { sized } from "./support/sized.ts";

/** Documents whose values are drawn so that there are many ties, wide gaps and missing values. */
const SIZE = 6000;
const generation = new ChangeLog().add("1", undefined);
const pick = <T>(items: readonly T[], n: number): T => items[n % items.length]!;

function fundingDocument(n: number) {
  const crowded = new Date(Date.UTC(2012, 0, 1 + (n % 3)));
  const spread = new Date(Date.UTC(1990 + ((n * 7) % 31), (n * 5) % 12, 1 + ((n * 11) % (n % 3 === 0 ? 2 : 28))));
  const amounts = [null, 1_000_000, 1_000_000, 0, 2_500_000.5, n * 17.25, n, 10 ** (n % 15), 999_999_999_999_999];
  return {
    listed: true,
    id: `rnd-${(n * 7919) % SIZE}`,
    announced_date: (n % 2 === 0 ? crowded : spread).toISOString().slice(0, 10),
    amount_usd: pick(amounts, n * 13),
    deal_type: pick(["seed", "series_a", "grant"], n),
    country: pick(["US", "DE", null], n),
  };
}

function companyDocument(n: number) {
  const name = pick(["acme", "b", null, "北京资本", "zeta-labs", "zeta-labs-2", `company-${n}`, `x${n % 50}`], n * 3);
  return {
    listed: true,
    company_id: `co-${(n * 7919) % SIZE}`,
    name_key: name,
    name_head: name && Array.from(name).slice(0, 3).join(""),
    signal_score: (n * n) % 101,
    latest_announced_date: n % 5 === 0 ? null : fundingDocument(n).announced_date,
    latest_amount_usd: fundingDocument(n).amount_usd,
    country: pick(["US", "DE", null], n),
  };
}

describe("a page far down a list", () => {
  const names = indexNames(`deep${Date.now()}`);
  const client = createSearchClient({ url: ENGINES.elasticsearchUrl }, { connections: 4, requestTimeoutMs: 30_000 });
  const search = createSearch(client, { timeoutMs: 20_000 });
  const pager = (
    maxScannedOffset: number,
    maxScannedGroup: number,
    { maxCountedWithRows = SIZE, maxScannedEquals = 1, counts = 1_000_000 } = {},
  ) =>
    createPager({
      search,
      counts: createValidatedCache({ maxBytes: counts }),
      bucketLists: createSingleFlight<BucketList>(createValidatedCache({ maxBytes: 1_000_000 })),
      maxScannedOffset,
      maxCountedWithRows,
      // Every bucket of more than one row is divided.
      maxScannedRows: 1,
      maxScannedEquals,
      maxScannedGroup,
    });
  const [scanning, seeking] = [pager(Number.POSITIVE_INFINITY, 100), pager(-1, 1)];
  /** Scans the rows of one value, however many. */
  const undivided = pager(-1, 1, { maxScannedEquals: SIZE });
  /** Counts each time by a search of its own, and searches up to a guessed end against the order of the index. */
  const counting = pager(Number.POSITIVE_INFINITY, 100, { maxCountedWithRows: 1, counts: 1 });

  beforeAll(async () => {
    await ensureIndices(client, names, { shards: 1, replicas: 0 });
    for (const [model, make, id] of [
      ["funding", fundingDocument, "id"],
      ["companies", companyDocument, "company_id"],
    ] as const) {
      const operations = Array.from({ length: SIZE }, (_, n) => {
        const document: Record<string, unknown> = make(n);
        return [{ index: { _id: String(document[id]) } }, document];
      }).flat();
      const done = await client.bulk({ index: names.role(model, "live"), operations, refresh: true });
      expect(done.errors).toBe(false);
    }
  });
  afterAll(() => client.close());

  test.each([
    ["funding", FUNDING_SORTS, "id"],
    ["companies", SIGNALS_SORTS, "company_id"],
  ] as const)(
    "of %s is the one that scanning there finds, and so is the page after it, in every order",
    async (model, sorts, idField) => {
      const filters: Filter[][] = [
        [],
        anyOf<FundingDocument>("country", ["US"]),
        anyOf<FundingDocument>("country", ["US", "DE"]),
      ];
      if (model === "funding")
        filters.push([
          ...anyOf<FundingDocument>("deal_type", ["seed"]),
          ...atLeast<FundingDocument>("amount_usd", 1000),
        ]);
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...Object.values(sorts)),
          fc.constantFrom(...filters),
          fc.nat({ max: SIZE + 10 }),
          fc.constantFrom(1, 7, 50),
          async (order, filter, offset, limit) => {
            const request = {
              filters: filter,
              order,
              idField,
              page: { limit, offset },
              source: [idField],
              generation,
            };
            const index = names.role(model, "live");
            const { field, direction, by } = order;
            const plain = { ...request, order: { field, direction, by } };
            const [scanned, ...others] = await Promise.all([
              scanning(index, plain),
              seeking(index, request),
              undivided(index, request),
              counting(index, request),
            ]);
            for (const other of others) expect(other).toEqual(scanned);

            const { next, count } = scanned;
            expect(next !== undefined).toBe(offset + limit < count);
            if (next === undefined) return;
            const after = { ...request, page: { limit, offset: 0, after: next } };
            const [following, near, far] = await Promise.all([
              scanning(index, { ...plain, page: { limit, offset: offset + limit } }),
              seeking(index, after),
              seeking(index, { ...after, generation: undefined }),
            ]);
            expect(near).toEqual(following);
            expect(far).toEqual(following);
          },
        ),
        { numRuns: sized(40, 400), seed: 20131031 },
      );
    },
  );
});

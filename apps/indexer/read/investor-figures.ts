import type { Client, estypes } from "@elastic/elasticsearch";
import { type OnRetry, retryForever, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { RoundsOf } from "@tranche/read-models/documents/investors";

/** The figures of an investor's rounds. */
export type InvestorFigures = {
  rounds: number;
  leads: number;
  companies: number;
  /** The days on which they were announced, YYYY-MM-DD, each once. */
  days: string[];
  categories: RoundsOf[];
  countries: RoundsOf[];
  dealTypes: RoundsOf[];
};

/**
 * Rounds that one search counts. Each adds at most one bucket of companies, days, categories, countries and deal types; Elasticsearch
 * returns at most 65,536 buckets.
 */
const MAX_ROUNDS = 12_000;
/** Up to here, companies are counted by their ids. */
const FEW_ROUNDS = 2000;
/** Companies in one page of the companies of an investor with more rounds than that. */
const COMPANIES_AT_ONCE = 10_000;
/** More than there can be, so that no value is left out. */
const ALL = 60_000;

type Parts = { client: Client; onRetry?: OnRetry };
type Aggregations = Record<string, estypes.AggregationsAggregationContainer>;
type Bucket = { key: string; key_as_string?: string; doc_count: number } & Record<string, { buckets: Bucket[] }>;

/**
 * Counts the rounds of investors in an index of the funding read model, as they are after the ticket was taken. Elasticsearch counts:
 * no round is read. Investors without rounds are absent. `maxRounds` is set by tests.
 */
export async function readFigures(
  parts: Parts,
  _taken: Ticket,
  index: string,
  ids: readonly string[],
  maxRounds = MAX_ROUNDS,
): Promise<Map<string, InvestorFigures>> {
  const found = new Map<string, InvestorFigures>();
  if (ids.length === 0) return found;
  for (const { some, sum } of portions(await roundCounts(parts, index, ids), maxRounds)) {
    const large = sum > maxRounds;
    const aggs: Aggregations = large ? VALUES : { ...VALUES, companies: companiesOf(sum) };
    const { rounds, leads } = await aggregate(parts, index, withAnyOf(some), {
      rounds: { ...perInvestor("investor_ids", some), aggs },
      leads: perInvestor("lead_investor_ids", some),
    });
    const led = new Map(leads!.buckets.map(({ key, doc_count }) => [key, doc_count]));
    for (const bucket of rounds!.buckets) {
      found.set(bucket.key, {
        rounds: bucket.doc_count,
        leads: led.get(bucket.key) ?? 0,
        companies: large ? await countCompanies(parts, index, bucket.key) : bucket.companies!.buckets.length,
        days: bucket.days!.buckets.map(({ key_as_string }) => key_as_string!),
        categories: countsOf(bucket.categories!),
        countries: countsOf(bucket.countries!),
        dealTypes: countsOf(bucket.dealTypes!),
      });
    }
  }
  return found;
}

/**
 * Investors in portions with at most `maxRounds` rounds; `sum`: how many. One with more has a portion of its own: its companies are
 * counted in pages.
 */
function* portions(
  counts: readonly { id: string; rounds: number }[],
  maxRounds: number,
): Generator<{ some: string[]; sum: number }> {
  let some: string[] = [];
  let sum = 0;
  for (const { id, rounds } of counts) {
    if (rounds > maxRounds) {
      yield { some: [id], sum: rounds };
      continue;
    }
    if (sum + rounds > maxRounds) {
      yield { some, sum };
      [some, sum] = [[], 0];
    }
    some.push(id);
    sum += rounds;
  }
  if (some.length > 0) yield { some, sum };
}

async function roundCounts(parts: Parts, index: string, ids: readonly string[]) {
  const { rounds } = await aggregate(parts, index, withAnyOf(ids), { rounds: perInvestor("investor_ids", ids) });
  return rounds!.buckets.map(({ key, doc_count }) => ({ id: key, rounds: doc_count }));
}

async function countCompanies(parts: Parts, index: string, id: string): Promise<number> {
  let count = 0;
  let after: Record<string, string> | undefined;
  for (;;) {
    const { companies } = await aggregate(parts, index, withAnyOf([id]), {
      companies: {
        composite: {
          size: COMPANIES_AT_ONCE,
          sources: [{ company: { terms: { field: "company_id" } } }],
          ...(after && { after }),
        },
      },
    });
    count += companies!.buckets.length;
    if (companies!.buckets.length < COMPANIES_AT_ONCE) return count;
    after = companies!.after_key;
  }
}

const valuesOf = (field: string): estypes.AggregationsTermsAggregation => ({ field, size: ALL });

const VALUES: Aggregations = {
  days: { terms: valuesOf("announced_date") },
  categories: { terms: valuesOf("category_key") },
  countries: { terms: valuesOf("country") },
  dealTypes: { terms: valuesOf("deal_type") },
};

/**
 * The companies of this number of rounds. By default Elasticsearch numbers all values of a field after each refresh and then counts
 * numbers, which is five times as fast; for a few rounds that would be in vain, because there are many companies.
 */
function companiesOf(rounds: number): estypes.AggregationsAggregationContainer {
  const hint = rounds <= FEW_ROUNDS ? ({ execution_hint: "map" } as const) : {};
  return { terms: { ...valuesOf("company_id"), ...hint } };
}

const perInvestor = (field: string, ids: readonly string[]): estypes.AggregationsAggregationContainer => ({
  terms: { field, include: [...ids], size: ids.length },
});

const withAnyOf = (ids: readonly string[]): estypes.QueryDslQueryContainer => ({
  bool: { filter: [{ term: { listed: true } }, { terms: { investor_ids: [...ids] } }] },
});

const countsOf = ({ buckets }: { buckets: Bucket[] }) =>
  buckets.map(({ key, doc_count }) => ({ key, count: doc_count }));

async function aggregate(
  { client, onRetry }: Parts,
  index: string,
  query: estypes.QueryDslQueryContainer,
  aggs: Aggregations,
): Promise<Record<string, { buckets: Bucket[]; after_key?: Record<string, string> }>> {
  // No other search asks the same of the same state, and to keep the answer Elasticsearch would serialise it.
  const request = { index, query, aggs, size: 0, track_total_hits: false, request_cache: false };
  const answer = await retryForever(async () => wholeAnswer(await client.search(request)), onRetry);
  return answer.aggregations as never;
}

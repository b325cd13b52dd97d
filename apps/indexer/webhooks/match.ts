import type { Client, estypes } from "@elastic/elasticsearch";
import { isChange } from "@tranche/read-models/feed/changes-query";
import { chunks } from "@tranche/shared/engines/search/chunks";
import { wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import type { WebhookFilters } from "@tranche/webhooks/followed-lists";
import { type Webhook, WebhookError, type WebhookList } from "@tranche/webhooks/webhook";

/** Filters that one search asks for. */
const FILTERS_AT_ONCE = 200;

/**
 * Finds the webhooks of a list that have something to get among what has changed after one horizon and up to another. Webhooks with the same filters
 * are asked for once, and hundreds of filters in one search, with the conditions that their deliveries have. One whose filters are not
 * understood any more is among them: its delivery says so.
 */
export async function matching(
  { client, filters }: { client: Client; filters: WebhookFilters },
  list: WebhookList,
  webhooks: readonly Pick<Webhook, "webhook_id" | "query">[],
  { index, after, upTo }: { index: string; after: number; upTo: number },
): Promise<string[]> {
  const byQuery = Map.groupBy(webhooks, ({ query }) => query);
  const found: string[] = [];
  const asked: [query: string, condition: estypes.QueryDslQueryContainer][] = [];
  const position = { asof: after, known: after, changed: after };
  for (const [query, same] of byQuery) {
    const read = conditionsOf(filters, list, query);
    if (read) asked.push([query, isChange({ filters: read }, position, upTo)]);
    else found.push(...same.map(({ webhook_id }) => webhook_id));
  }
  for (const some of chunks(asked, FILTERS_AT_ONCE)) {
    const answer = await client.search({
      index,
      size: 0,
      track_total_hits: false,
      query: { range: { changed: { gt: after } } },
      aggs: { queries: { filters: { filters: some.map(([, condition]) => condition) } } },
    });
    const { buckets } = wholeAnswer(answer).aggregations!["queries"] as estypes.AggregationsFiltersAggregate;
    (buckets as { doc_count: number }[]).forEach(({ doc_count }, n) => {
      if (doc_count > 0) found.push(...byQuery.get(some[n]![0])!.map(({ webhook_id }) => webhook_id));
    });
  }
  return found;
}

function conditionsOf(filters: WebhookFilters, list: WebhookList, query: string) {
  try {
    return filters.filters(list, query);
  } catch (error) {
    if (error instanceof WebhookError) return undefined;
    throw error;
  }
}

import type { Client, estypes } from "@elastic/elasticsearch";
import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import { type ChangesPage, changesPage, changeText, emptyPage } from "@tranche/read-models/feed/changes-page";
import { changesQuery } from "@tranche/read-models/feed/changes-query";
import { type FeedPosition, isCurrent } from "@tranche/read-models/feed/position";
import { clauses, type Filter } from "@tranche/read-models/query/filters";
import { type FeedState, readFeedState } from "@tranche/shared/protocol/feed/state";
import { wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import { FOLLOWED } from "@tranche/webhooks/followed-lists";
import { FEED_OF_LIST, type WebhookList } from "@tranche/webhooks/webhook";
import type { WebhookParts } from "./parts.ts";

/** Changes in one delivery, at most. */
const MAX_CHANGES = 100;

type Parts = Pick<WebhookParts, "client" | "redis" | "namespace">;

/** The changes after a position, or the reason why none can be read: the position has expired, or the feed has just been closed. */
export type Next = ChangesPage | "expired" | "closed";

/** The next changes of a filtered list after a position, up to where the feed stood. */
export async function nextChanges(
  { client, redis, namespace }: Parts,
  { list, filters }: { list: WebhookList; filters: readonly Filter[] },
  after: FeedPosition,
  state: FeedState,
): Promise<Next> {
  const empty = after.epoch === state.epoch && emptyPage(after, state);
  if (empty) return empty;
  const { idField, source, row } = FOLLOWED[list];
  const { horizon, index } = state;
  const found = await hitsOf(
    client,
    index,
    changesQuery({ filters, idField, source }, after, { horizon, size: MAX_CHANGES + 1 }),
  );
  // After the search: what was purged meanwhile may be missing in it. `state` may be of a moment ago.
  const now = await readFeedState(redis, namespace, FEED_OF_LIST[list]);
  if (!now || now.epoch !== state.epoch) return "closed";
  if (!isCurrent(after, now)) return "expired";
  return changesPage(found, { after, end: state, limit: MAX_CHANGES, row });
}

/** The newest state of documents, as changes in the order of their ids: on the list, or removed from it. */
export async function changesOf(
  { client }: Pick<Parts, "client">,
  { list, filters }: { list: WebhookList; filters: readonly Filter[] },
  ids: readonly string[],
  { index, horizon }: FeedState,
): Promise<string[]> {
  const { idField, source, row } = FOLLOWED[list];
  const changed: keyof ChangeTickets = "changed";
  const { documents, ...found } = await hitsOf(client, index, {
    query: { bool: { filter: [{ terms: { [idField]: [...ids] } }, ...clauses(filters)] } },
    size: ids.length,
    _source: [...source, changed],
  });
  const listed = new Map(found.ids.map((id, n) => [id, documents[n]!]));
  return ids.map((id) => {
    const document = listed.get(id);
    return changeText({ id, changed: document?.changed ?? horizon, row: document && row(document) });
  });
}

async function hitsOf(client: Client, index: string, request: estypes.SearchRequest) {
  const answer = wholeAnswer(await client.search<ChangeTickets>({ index, ...request }));
  const { hits } = answer.hits;
  return {
    ids: hits.map((hit) => hit._id!),
    documents: hits.map((hit) => hit._source!),
    sorted: hits.map((hit) => hit.sort ?? []),
    matched: hits.map((hit) => (hit.matched_queries as string[] | undefined) ?? []),
  };
}

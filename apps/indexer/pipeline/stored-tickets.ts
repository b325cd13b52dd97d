import type { Client } from "@elastic/elasticsearch";
import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import { CHANGE_TICKET_FIELDS } from "@tranche/read-models/indices/mappings";
import { chunks } from "@tranche/shared/engines/search/chunks";
import { type OnRetry, retryForever, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import { REGISTRY } from "@tranche/read-models/documents/registry";

const IDS_AT_ONCE = 5000;

/**
 * The tickets of documents in the live index, by id; those without any are left out. It finds visible documents. That is enough for a
 * writer that is alone with a document: all earlier writers removed their notes, after it was visible on every copy. Only doc values are
 * read: `_id` is stored beside the row, and reading it would decompress rows.
 */
export async function readStoredTickets(
  parts: { client: Client; onRetry: OnRetry },
  model: FeedModel,
  index: string,
  ids: readonly string[],
): Promise<Map<string, ChangeTickets>> {
  const found = new Map<string, ChangeTickets>();
  const idField = REGISTRY[model].idField;
  for (const values of chunks(ids, IDS_AT_ONCE)) {
    const { hits } = await retryForever(
      async () =>
        wholeAnswer(
          await parts.client.search({
            index,
            query: { bool: { filter: [{ ids: { values } }] } },
            size: values.length,
            sort: ["_doc"],
            track_total_hits: false,
            stored_fields: "_none_",
            docvalue_fields: [idField, ...CHANGE_TICKET_FIELDS],
            filter_path: ["timed_out", "_shards", "hits.hits.fields"],
          }),
        ),
      parts.onRetry,
    );
    for (const { fields } of hits?.hits ?? []) {
      const tickets = Object.fromEntries(
        CHANGE_TICKET_FIELDS.map((field) => [field, fields?.[field]?.[0]]),
      ) as ChangeTickets;
      if (tickets.changed !== undefined) found.set(fields![idField][0] as string, tickets);
    }
  }
  return found;
}

import type { Client } from "@elastic/elasticsearch";
import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import { CHANGE_TICKET_FIELDS } from "@tranche/read-models/indices/mappings";
import { chunks } from "@tranche/shared/search/chunks";
import { type OnRetry, retryForever, wholeAnswer } from "@tranche/shared/search/retry-forever";

const IDS_AT_ONCE = 5000;

/**
 * The tickets of documents in the live index, by id; those without any are left out. It finds what is visible. That is enough for who is
 * alone with a document: all earlier writers took their notes back, after it was visible on every copy. Doc values spare reading sources.
 */
export async function readFormer(
  parts: { client: Client; onRetry: OnRetry },
  index: string,
  ids: readonly string[],
): Promise<Map<string, ChangeTickets>> {
  const found = new Map<string, ChangeTickets>();
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
            _source: false,
            docvalue_fields: [...CHANGE_TICKET_FIELDS],
          }),
        ),
      parts.onRetry,
    );
    for (const { _id, fields } of hits.hits) {
      const tickets = Object.fromEntries(
        CHANGE_TICKET_FIELDS.map((field) => [field, fields?.[field]?.[0]]),
      ) as ChangeTickets;
      if (tickets.changed !== undefined) found.set(_id!, tickets);
    }
  }
  return found;
}

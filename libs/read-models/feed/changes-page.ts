import type { ChangeTickets } from "../documents/change-tickets.ts";
import { HIDDEN, UPSERT } from "./changes-query.ts";
import { AFTER_ALL_IDS, atHorizon, type FeedPosition } from "./position.ts";

/** A page of the feed. `changes` are JSON texts, `ids` those of their documents. */
export type ChangesPage = { changes: string[]; ids: string[]; next: FeedPosition; hasMore: boolean };

/** The result of a search of `changesQuery`, one element per document. The search requests one document more than `limit`. */
type FoundChanges<Document> = {
  ids: readonly string[];
  documents: readonly Document[];
  sorted: readonly (readonly unknown[])[];
  matched: readonly (readonly string[])[];
};

/** The state of the feed: its history, and the ticket up to which it is read. */
type FeedEnd = { epoch: string; horizon: number };

/** The page that a search found. `row`: a document as its list shows it. */
export function changesPage<Document>(
  found: FoundChanges<Document & Partial<ChangeTickets>>,
  { after, end, limit, row }: { after: FeedPosition; end: FeedEnd; limit: number; row: (document: Document) => string },
): ChangesPage {
  const hidden = found.matched.findIndex((names) => names.includes(HIDDEN));
  const count = hidden < 0 ? found.ids.length : hidden;
  const ids = found.ids.slice(0, Math.min(count, limit));
  const changes = ids.map((id, place) =>
    changeText({
      id,
      changed: Number(found.sorted[place]![0]),
      row: found.matched[place]!.includes(UPSERT) ? row(found.documents[place]!) : undefined,
    }),
  );
  const hasMore = count > limit;
  const last = found.sorted[limit - 1];
  if (hasMore) return { changes, ids, next: { ...after, changed: Number(last![0]), id: String(last![1]) }, hasMore };
  // A reader knows all below the horizon, wherever it began: so readers who have read everything have the same position.
  const next = atHorizon(end.epoch, end.horizon, Math.max(after.known, end.horizon));
  // While a removal is hidden, the walk continues from where it began.
  return { changes, ids, next: hidden < 0 ? next : { ...next, asof: after.asof }, hasMore };
}

/** One change as JSON: the row of a document that is on the list, or its removal. `changed`: a ticket, in µs. */
export function changeText({ id, changed, row }: { id: string; changed: number; row: string | undefined }): string {
  const changed_at = new Date(Math.floor(changed / 1000)).toISOString();
  const text = JSON.stringify({ change: row === undefined ? "remove" : "upsert", id, changed_at });
  return row === undefined ? text : `${text.slice(0, -1)},"row":${row}}`;
}

/** The page of a reader who has read everything up to the end; undefined when there may be something. */
export function emptyPage(after: FeedPosition, { epoch, horizon }: FeedEnd): ChangesPage | undefined {
  // Another process may have seen a later horizon.
  if (after.changed > horizon) return { changes: [], ids: [], next: after, hasMore: false };
  if (after.changed < horizon || after.id !== AFTER_ALL_IDS) return undefined;
  return { changes: [], ids: [], next: { ...after, epoch }, hasMore: false };
}

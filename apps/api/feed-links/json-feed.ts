import type { FeedPage } from "./page.ts";

/** A page as JSON Feed 1.1. `_tranche` has the row of each entry as on the list. It has no `feed_url`, for the reason that Atom has none. */
export function jsonFeedText({ title, entries }: FeedPage): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    authors: [{ name: "Tranche" }],
    items: entries.map(({ id, title: ofEntry, text, published, updated, url, source, row }) => ({
      id,
      title: ofEntry,
      content_text: text,
      ...(published === undefined ? {} : { date_published: published }),
      date_modified: updated,
      ...(url === undefined ? {} : { url }),
      ...(source === undefined ? {} : { external_url: source }),
      _tranche: { row },
    })),
  });
}

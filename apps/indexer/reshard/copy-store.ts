import type { Client, estypes } from "@elastic/elasticsearch";
import { writeBulk } from "@tranche/shared/search/bulk";
import type { BulkItem } from "@tranche/shared/search/bulk-part";
import { type OnRetry, retryForever } from "@tranche/shared/search/retry-forever";
import { wholeIndex } from "@tranche/shared/search/whole-index";

const PAGE_SIZE = 2000;
/** A page takes seconds. */
const KEEP_ALIVE = "10m";

/**
 * Copies all documents of an index that is closed to writes, each with its version, so that a write of an older version still loses.
 * `to`: the alias of the new index; without it the copy throws, because another indexer has taken it over.
 */
export async function copyStore(
  client: Client,
  { from, to }: { from: string; to: string },
  { onRetry, onCopied }: { onRetry: OnRetry; onCopied: (documents: number) => Promise<void> },
): Promise<number> {
  const { id } = await retryForever(() => client.openPointInTime({ index: from, keep_alive: KEEP_ALIVE }), onRetry);
  try {
    const pages = wholeIndex(client, { pointInTime: id, keepAlive: KEEP_ALIVE, pageSize: PAGE_SIZE }, onRetry);
    let copied = 0;
    let reading = pages.next();
    for (;;) {
      const { value: hits } = await reading;
      if (!hits) return copied;
      // The next page is read while this one is written.
      reading = pages.next();
      reading.catch(() => {});
      await writeAll(client, hits, to, onRetry);
      await onCopied((copied += hits.length));
    }
  } finally {
    await client.closePointInTime({ id }).catch(() => {});
  }
}

async function writeAll(
  client: Client,
  hits: readonly estypes.SearchHit<object>[],
  to: string,
  onRetry: OnRetry,
): Promise<void> {
  const items = hits.map((hit): BulkItem => ({
    index: to,
    id: hit._id!,
    document: hit._source!,
    version: { number: hit._version!, type: "external_gte" },
  }));
  for (const result of await writeBulk(client, items, { requireAlias: true, onRetry })) {
    if (result === "alias_missing") throw new TakenOver(`${to} is gone: another indexer has taken the resharding over`);
    if (result !== "done") throw new Error(`a document could not be copied to ${to}: ${JSON.stringify(result)}`);
  }
}

/** Another indexer does this work now. */
export class TakenOver extends Error {
  override name = "TakenOver";
}

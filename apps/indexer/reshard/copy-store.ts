import type { Client, estypes } from "@elastic/elasticsearch";
import { writeBulk } from "@tranche/shared/search/bulk";
import type { BulkItem } from "@tranche/shared/search/bulk-part";
import { type OnRetry, retryForever } from "@tranche/shared/search/retry-forever";
import { PointInTimeLost, wholeIndex } from "@tranche/shared/search/whole-index";

const PAGE_SIZE = 2000;
/** A page takes seconds. */
const KEEP_ALIVE = "10m";

type Copying = { onRetry: OnRetry; onCopied: (documents: number) => Promise<void> };
type Indices = { from: string; to: string };

/**
 * Copies all documents of an index that is closed to writes, each with its version, so that a write of an older version still loses.
 * `to`: the alias of the new index; without it the copy throws, because another indexer has taken it over. Begins again when a node that
 * held the view of the index is lost; a document copied twice is the same.
 */
export async function copyStore(client: Client, indices: Indices, copying: Copying): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await copyInOneView(client, indices, copying);
    } catch (error) {
      if (!(error instanceof PointInTimeLost)) throw error;
      copying.onRetry(error, attempt);
    }
  }
}

async function copyInOneView(client: Client, { from, to }: Indices, { onRetry, onCopied }: Copying): Promise<number> {
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

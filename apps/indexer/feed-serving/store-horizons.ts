import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import {
  HORIZONS_KIND,
  horizonsId,
  type HorizonsOfDay,
  KEPT_DAYS,
  withHorizons,
} from "@tranche/shared/protocol/feed/horizons-of-day";
import { readFeedState } from "@tranche/shared/protocol/feed/state";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { deleteWhere } from "@tranche/shared/engines/search/delete-where";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";

const EVERY_MS = 60_000;

type Parts = { client: Client; names: Pick<IndexNames, "control">; redis: RedisClient; namespace: string };

/**
 * Notes the horizons of the feed every minute, so that callers can begin at a time. All indexers do so, and the first of a minute writes.
 * Real time, as tickets are. Ends when aborted.
 */
export async function storeHorizons(
  parts: Parts & { log: { warn: (details: object, text: string) => void } },
  until: AbortSignal,
): Promise<void> {
  while (!until.aborted) {
    try {
      await storeHorizonsOnce(parts);
    } catch (error) {
      parts.log.warn({ err: error }, "the horizons of the feed could not be stored; the next minute tries again");
    }
    await pause(EVERY_MS, undefined, { signal: until }).catch(() => {});
  }
}

/** Stores the horizons unless that is needless, another indexer has just done so, or the feed is closed. */
export async function storeHorizonsOnce({ client, names, redis, namespace }: Parts): Promise<void> {
  const [funding, companies] = [
    await readFeedState(redis, namespace, "funding"),
    await readFeedState(redis, namespace, "companies"),
  ];
  if (!funding || !companies) return;
  // After the horizons: what is visible by them was visible at this time.
  const now = Date.now();
  const today = dayOfTime(now);
  const [index, id] = [names.control, horizonsId(isoDay(today))];
  const found = await client.get<HorizonsOfDay>({ index, id }, { ignore: [404] });
  const document = withHorizons(found.found ? found._source : undefined, now, { funding, companies });
  if (!document) return;
  const guard = found.found
    ? { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! }
    : { op_type: "create" as const };
  await client.index({ index, id, document, ...guard }, { ignore: [409] });
  if (!found.found) await deleteWhere(client, index, daysBefore(isoDay(today - KEPT_DAYS)));
}

const daysBefore = (day: string) => ({
  bool: { filter: [{ term: { kind: HORIZONS_KIND } }, { range: { id: { lt: day } } }] },
});

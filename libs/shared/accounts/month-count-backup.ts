import { readFileSync } from "node:fs";
import type { Client } from "@elastic/elasticsearch";
import type { RedisClient } from "../engines/redis/connect.ts";
import { assertNoneFailed } from "../engines/search/bulk-results.ts";
import { refreshed } from "../engines/search/refreshed.ts";
import { wholeDocuments } from "../engines/search/retry-forever.ts";
import { searchAll } from "../engines/search/search-all.ts";
import { accountRedisKeys } from "./redis-keys.ts";

const script = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/**
 * Requests of an account in the month that ends at `ends` (s); `own` of its dashboard's pool, missing in counts from before there was one.
 * Readings of Redis are numbered, so that a Redis that lost one is noticed.
 */
export type MonthCount = {
  kind: "month-usage";
  account: string;
  ends: number;
  used: number;
  own?: number;
  noted: number;
};

export const monthCountId = (handle: string): string => `month:${handle}`;

type MonthRedis = RedisClient & {
  noteMonth(key: string): Promise<[] | [ends: string, used: string, noted: number, own: string]>;
  restoreMonth(key: string, ends: number, used: number, noted: number, own: number): Promise<0 | 1>;
};

/** Counts of the month as they are kept in Elasticsearch, beside those in Redis that admission uses. */
export type MonthCountBackup = {
  /**
   * Keeps the counts of these accounts as Redis has them. A Redis that had lost a count continues from the kept one instead. Rejects when
   * Elasticsearch refuses one.
   */
  keep(handles: readonly string[]): Promise<void>;
  /** Continues a month in Redis, if Redis lost it. */
  restore(month: MonthCount): Promise<void>;
  /** Does so for all accounts. */
  restoreAll(): Promise<void>;
};

export function createMonthCountBackup(
  connection: RedisClient,
  namespace: string,
  { client, index }: { client: Client; index: string },
): MonthCountBackup {
  connection.defineCommand("noteMonth", { numberOfKeys: 1, lua: script("./note-month.lua") });
  connection.defineCommand("restoreMonth", { numberOfKeys: 1, lua: script("./restore-month.lua") });
  const redis = connection as MonthRedis;
  const keyOf = (handle: string) => accountRedisKeys(namespace, handle).month;

  const restore = async ({ account, ends, used, noted, own = 0 }: MonthCount) =>
    void (await redis.restoreMonth(keyOf(account), ends, used, noted, own));

  const restoreSuperseded = async (months: readonly MonthCount[]) => {
    if (months.length === 0) return;
    const ids = months.map(({ account }) => monthCountId(account));
    const read = wholeDocuments(await client.mget<MonthCount>({ index, ids }));
    for (const [i, { _source: kept }] of read.entries()) {
      // A number is given once. If another reading has the same one, Redis went back by just that reading.
      const givenTwice = kept?.noted === months[i]!.noted;
      if (kept) await restore(givenTwice ? { ...kept, noted: kept.noted + 1 } : kept);
    }
  };

  return {
    async keep(handles) {
      const read = await Promise.all(handles.map((handle) => redis.noteMonth(keyOf(handle))));
      const months = read.flatMap(([ends, used, noted, own], i): MonthCount[] => {
        if (ends === undefined) return [];
        const counts = { ends: Number(ends), used: Number(used), own: Number(own), noted: noted! };
        return [{ kind: "month-usage", account: handles[i]!, ...counts }];
      });
      if (months.length === 0) return;
      const operations = months.flatMap((month) => [
        { index: { _id: monthCountId(month.account), version: month.noted, version_type: "external" as const } },
        month,
      ]);
      const answer = await client.bulk({ index, operations });
      // A later reading is kept than Redis knows of: another process was faster, or Redis lost the count.
      const superseded = months.filter((_, i) => answer.items[i]!.index?.status === 409);
      await restoreSuperseded(superseded);
      assertNoneFailed(answer, [409]);
    },
    restore,
    async restoreAll() {
      await refreshed(client, index);
      const query = { term: { kind: "month-usage" } };
      for await (const page of searchAll<MonthCount>(client, { index, query, sort: ["account"], source: true }))
        await Promise.all(page.map(restore));
    },
  };
}

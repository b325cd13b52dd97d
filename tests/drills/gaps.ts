import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { Queues } from "../support/queues.ts";
import { round } from "../support/writes.ts";
import type { Random } from "./random.ts";

const EVERY_MS = 100;

export type Gaps = {
  /** The longest time without a page that was answered with 200. */
  longest_without_read_ms: number;
  /** The longest time from the enqueueing of a round until a search finds it. */
  longest_until_searchable_ms: number;
};

/**
 * Writes rounds and asks for pages, one after another each, and measures how long either stood still. Refused and failed requests
 * count and end nothing. `lap` begins anew.
 */
export function watchGaps(parts: {
  queues: Queues;
  client: Client;
  names: IndexNames;
  base: string;
  key: string;
  random: Random;
  companies: number;
}) {
  const { queues, client, names, base, key, random, companies } = parts;
  const written: RecordWrite[] = [];
  let [running, reads, failedReads] = [true, 0, 0];
  let [lastRead, waitingSince, longestRead, longestSearchable] = [Date.now(), Date.now(), 0, 0];

  const write = async () => {
    for (let version = 2; running; version++) {
      const n = random.below(companies);
      const amount = 10_000_000 + version;
      const sent = round(version, `gap-${n}`, `co-${n}`, { announced_date: "2024-02-28", amount_usd: amount });
      waitingSince = Date.now();
      await queues.send([sent]);
      written.push(sent);
      const query = { bool: { filter: [{ term: { id: sent.id } }, { term: { amount_usd: amount } }] } };
      const found = async () => (await client.count({ index: names.role("funding", "live"), query })).count > 0;
      while (running && !(await found().catch(() => false))) await pause(EVERY_MS);
      longestSearchable = Math.max(longestSearchable, Date.now() - waitingSince);
      waitingSince = Infinity;
      await pause(EVERY_MS);
    }
  };
  const ask = async () => {
    for (; running; await pause(EVERY_MS)) {
      const path = `${base}/signals?country=US,DE&limit=50&offset=${random.below(Math.ceil(companies / 2))}`;
      const ok = await fetch(path, { headers: { authorization: `Bearer ${key}` } }).then(
        async (page) => (await page.text(), page.status === 200),
        () => false,
      );
      reads++;
      if (!ok) failedReads++;
      else {
        longestRead = Math.max(longestRead, Date.now() - lastRead);
        lastRead = Date.now();
      }
    }
  };
  const under = Promise.all([write(), ask()]);
  return {
    /** Waits until a page was read and a round found that were asked for after the call; throws after `withinMs`. */
    async goesOn(withinMs: number): Promise<void> {
      const [start, before] = [Date.now(), written.length];
      while (lastRead < start || written.length < before + 2) {
        if (Date.now() - start > withinMs) throw new Error(`reads or ingest make no progress for ${withinMs} ms`);
        await pause(EVERY_MS);
      }
    },
    lap(): Gaps {
      const now = Date.now();
      const gaps = {
        longest_without_read_ms: Math.max(longestRead, now - lastRead),
        longest_until_searchable_ms: Math.max(longestSearchable, now - waitingSince),
      };
      [longestRead, longestSearchable] = [0, 0];
      return gaps;
    },
    async stop(): Promise<{ written: RecordWrite[]; reads: number; failed_reads: number }> {
      running = false;
      await under;
      return { written, reads, failed_reads: failedReads };
    },
  };
}

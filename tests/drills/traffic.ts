import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { Queues } from "../support/queues.ts";
import { round } from "../support/writes.ts";
import type { Random } from "./random.ts";

const WRITE_EVERY_MS = 300;
const ASK_EVERY_MS = 100;
const LOOK_EVERY_MS = 20;

/** Percentiles in ms. */
export type Times = { count: number; p50: number; p95: number; max: number };
export type Lap = {
  /** From the enqueueing of a round until a search finds its new amount. */
  searchable_ms: Times;
  /** Of a page of the signals list, each time another one. */
  request_ms: Times;
};

/** Writes rounds and asks for pages, one after another each, and measures how long both take. `lap` begins anew. */
export function watchTraffic(parts: {
  queues: Queues;
  client: Client;
  names: IndexNames;
  base: string;
  key: string;
  random: Random;
  companies: number;
}): { lap(): Lap; stop(): Promise<Lap> } {
  const { queues, client, names, base, key, random, companies } = parts;
  let [searchable, requests]: number[][] = [[], []] as number[][];
  let running = true;

  const write = async () => {
    for (let version = 2; running; version++) {
      const n = random.below(companies);
      const id = `rnd-${n}`;
      const amount = 10_000_000 + version;
      const start = Date.now();
      await queues.send([round(version, id, `co-${n}`, { announced_date: "2024-02-28", amount_usd: amount })]);
      const query = { bool: { filter: [{ term: { id } }, { term: { amount_usd: amount } }] } };
      while (running && (await client.count({ index: names.role("funding", "live"), query })).count === 0)
        await pause(LOOK_EVERY_MS);
      if (running) searchable!.push(Date.now() - start);
      await pause(WRITE_EVERY_MS);
    }
  };
  const ask = async () => {
    for (let n = 0; running; n++) {
      const start = Date.now();
      const page = await fetch(`${base}/signals?country=US,DE&limit=50&offset=${random.below(companies / 2)}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      await page.text();
      if (page.status !== 200) throw new Error(`the API answered ${page.status}`);
      requests!.push(Date.now() - start);
      await pause(ASK_EVERY_MS);
    }
  };
  const under = Promise.all([write(), ask()]);
  const lap = () => {
    const done = { searchable_ms: times(searchable!), request_ms: times(requests!) };
    [searchable, requests] = [[], []];
    return done;
  };
  return {
    lap,
    async stop() {
      running = false;
      await under;
      return lap();
    },
  };
}

function times(all: readonly number[]): Times {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? 0 };
}

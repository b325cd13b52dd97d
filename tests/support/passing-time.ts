import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { QUEUES, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { INGESTED_KEYS } from "@tranche/shared/domain/signals/catalogue";
import { dayOf, type Day, isoDay } from "@tranche/shared/domain/time/day";
import type { Random } from "../drills/random.ts";
import { compareDocuments, expectedDocuments, searchableDocuments } from "./expected.ts";
import type { Queues } from "./queues.ts";
import type { Service } from "./service.ts";
import { company, deletion, investor, round, signal } from "./writes.ts";

const LOOK_EVERY_MS = 200;

/** An installation whose clock can be put on another time. */
export type Clockwork = {
  service: Service;
  queues: Queues;
  client: Client;
  names: IndexNames;
  /** Ends the indexer, where one runs, and starts another. */
  restartIndexer: () => Promise<void>;
};

export type Arrival = {
  /** Documents that were due when the clock was moved. */
  due: number;
  /** From the start of the indexer until all were derived. */
  ms: number;
  /** Documents that are not what a fresh derivation gives, in the live and in the previous index. */
  differing: string[];
};

/** Restarts the indexer with the clock on `now`, and waits until every document is as of then, or `withinMs` have passed. */
export async function moveClock(
  clockwork: Clockwork,
  now: string,
  writes: readonly RecordWrite[],
  withinMs: number,
): Promise<Arrival> {
  const { service, queues, client, names } = clockwork;
  const due = await dueOn(client, names.role("companies", "live"), dayOf(now));
  service.env["TRANCHE_NOW"] = now;
  await clockwork.restartIndexer();
  const start = Date.now();
  const expected = expectedDocuments(writes, Date.parse(now));
  for (;;) {
    await queues.settled(withinMs);
    const comparison = compareDocuments(expected, await searchableDocuments(client, names));
    const differing = [...comparison.missing, ...comparison.extra, ...comparison.stale];
    const previous = await dueOn(client, names.role("companies", "previous"), dayOf(now));
    if (previous > 0) differing.push(`${previous} due documents of the previous index`);
    const ms = Date.now() - start;
    if (differing.length === 0 || ms > withinMs) return { due, ms, differing };
    await pause(LOOK_EVERY_MS);
  }
}

/** Documents of an index, where there is one, that time alone has changed by that day and that show it not yet. */
export async function dueOn(client: Client, index: string, day: Day): Promise<number> {
  const query = { range: { next_change_at: { lte: isoDay(day) } } };
  return (await client.count({ index, query, ignore_unavailable: true })).count;
}

/** Has the indexer remove what is kept only for a while, and waits until it has. */
export async function purgeNow({ queues }: Pick<Clockwork, "queues">): Promise<void> {
  const upkeep = queues.queue(QUEUES.upkeep);
  const job = await upkeep.add(UPKEEP_JOBS.purge, undefined);
  while (!(await job.isCompleted())) {
    if (await job.isFailed()) throw new Error(`the purge failed: ${(await upkeep.getJob(job.id!))?.failedReason}`);
    await pause(LOOK_EVERY_MS);
  }
}

/** Days before and after which something starts or ends, counted from the day of a round, a signal or a snapshot. */
const ROUND_DAYS = [-731, -730, -729, -451, -450, -449, -365, -180, -179, -90, -89, -60, -30, -2, -1, 0, 1, 2, 3, 30];
const SIGNAL_DAYS = [-365, -364, -180, -179, -120, -119, -90, -45, -44, -1, 0, 1, 2, 5];
const SNAPSHOT_DAYS = [-500, -400, -397, -390, -300, -181, -180, -120, -119, -60, -1, 0, 1, 2];
const DEAL_TYPES = ["pre_seed", "seed", "series_a", "series_b", "convertible_note", "debt_financing", "grant", "other"];
const TECHNOLOGIES = ["TypeScript", "React", "Kubernetes", "PyTorch", "COBOL", "PostgreSQL"];

/** Records of `companies` companies for which something starts, ends or fades around that day. */
export function recordsAround(random: Random, today: Day, companies: number): RecordWrite[] {
  const writes: RecordWrite[] = [];
  const next = () => writes.length + 1;
  const on = (days: readonly number[]) => isoDay(today + random.pick(days));
  const times = (limit: number, make: (n: number) => void) => {
    for (let n = random.below(limit); n > 0; n--) make(n);
  };
  for (let n = 0; n < 20; n++) writes.push(investor(next(), `inv-${n}`));
  for (let c = 0; c < companies; c++) {
    const id = `co-${c}`;
    const seen = () => ({
      observed_at: on(SNAPSHOT_DAYS),
      tech_stack: random.chance(0.7) ? TECHNOLOGIES.filter(() => random.chance(0.5)) : null,
      headcount: random.chance(0.5) ? 10 + random.below(60) : null,
    });
    writes.push(company(next(), id, seen()));
    times(4, () => writes.push(company(next(), id, seen())));
    times(4, (n) => {
      const investors = [`inv-${random.below(20)}`].map((investor_id) => ({
        investor_id,
        is_lead: random.chance(0.5),
      }));
      writes.push(
        round(next(), `${id}-r${n}`, id, {
          announced_date: on(ROUND_DAYS),
          deal_type: random.pick(DEAL_TYPES),
          amount_usd: random.pick([null, 250_000, 5_000_000, 60_000_000, 450_000_000]),
          investors,
        }),
      );
      if (random.chance(0.1)) writes.push(deletion(next(), "round", `${id}-r${n}`));
    });
    times(4, (n) => {
      const detected = today + random.pick(SIGNAL_DAYS);
      writes.push(
        signal(next(), id, random.pick(INGESTED_KEYS), {
          id: `${id}-s${n}`,
          detected_at: isoDay(detected),
          strength: random.pick([null, 0, 0.25, 1]),
          expires_at: random.chance(0.3) ? isoDay(detected + random.pick([0, 1, 2, 3, 400])) : null,
        }),
      );
    });
    if (random.chance(0.03)) writes.push(deletion(next(), "company", id));
  }
  return writes;
}

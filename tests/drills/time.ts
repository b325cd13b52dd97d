import { setTimeout as pause } from "node:timers/promises";
import { createEnqueuer } from "@tranche/shared/protocol/queue/enqueue";
import { type IngestJob, QUEUES } from "@tranche/shared/protocol/queue/queues";
import { dayOf, isoDay } from "@tranche/shared/domain/time/day";
import { type Arrival, dueOn, moveClock, purgeNow, recordsAround } from "../support/passing-time.ts";
import { company, round } from "../support/writes.ts";
import { type Drill, type DrillContext, type Outcome, seconds } from "./drill.ts";
import { type Installation, withInstallation } from "./installation.ts";
import { watchTraffic } from "./traffic.ts";

const FIRST = "2024-02-28T23:59:59Z";
const LEAP_DAYS = ["2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"];
const EXPIRY_DAYS = ["2024-05-29T12:00:00Z"];
const MORE_DAYS = [
  "2024-03-02T00:00:00Z",
  "2024-03-03T08:00:00Z",
  "2024-03-04T23:59:59Z",
  "2024-04-01T00:00:00Z",
  "2024-05-29T12:00:00Z",
  "2024-08-27T00:00:00Z",
  "2024-12-31T23:59:59Z",
  "2025-01-01T00:00:00Z",
  "2025-05-25T00:00:00Z",
  "2026-03-02T00:00:00Z",
];
const BACK = "2024-02-29T12:00:00Z";
const MOVED_WITHIN_MS = 60_000;

/** All due on one day, and how long that may take. */
const DUE = 300_000;
const DUE_WITHIN_MS = 300_000;
const WATCHED_MS = 30_000;
/** What a written round may take to be searchable meanwhile, at the 95th percentile. */
const SEARCHABLE_WITHIN_MS = 3000;

export const time: Drill = {
  name: "time",
  about: "the clock moves over midnight, a leap day, expiries and back; 300,000 documents are due at once",
  async run(context) {
    const days = [...LEAP_DAYS, ...(context.size === "full" ? MORE_DAYS : EXPIRY_DAYS)];
    const moved = await withInstallation(context, {}, (installation) => moveThrough(context, installation, days));
    if (context.size === "short") return moved;
    const due = await withInstallation(context, {}, (installation) => manyDue(context, installation));
    return { checks: { ...moved.checks, ...due.checks }, figures: { ...moved.figures, ...due.figures } };
  },
};

async function moveThrough(context: DrillContext, installation: Installation, days: string[]): Promise<Outcome> {
  const { service, queues } = installation;
  const restartIndexer = async () => {
    await installation.killIndexer();
    await installation.startIndexer();
  };
  const clockwork = { ...installation, restartIndexer };
  const writes = recordsAround(context.random, dayOf(FIRST), context.size === "full" ? 3000 : 500);
  await moveClock(clockwork, FIRST, [], MOVED_WITHIN_MS);
  await queues.send(writes);
  await queues.settled(MOVED_WITHIN_MS);
  context.say("making a previous index, which has to keep up");
  await service.ops(["reindex", "--wait"]);

  const move = async (day: string) => {
    const arrival = await moveClock(clockwork, day, writes, MOVED_WITHIN_MS);
    context.say(`${day}: ${arrival.due} due, done after ${seconds(arrival.ms)} s, ${arrival.differing.length} differ`);
    for (const each of arrival.differing.slice(0, 5)) context.say(`differing: ${each}`);
    return arrival;
  };
  const forward: Arrival[] = [];
  for (const day of days) forward.push(await move(day));
  const back = await move(BACK);
  // Last, because purged documents are missing on an earlier day.
  const again = await move(days.at(-1)!);
  await purgeNow(clockwork);
  const purged = await move(days.at(-1)!);
  const arrivals = [...forward, back, again, purged];
  const verified = JSON.parse((await service.ops(["verify", "--json"])).stdout) as {
    compared: number;
    differing: number;
  };
  return {
    checks: {
      "every document equals a fresh derivation after each move": arrivals.every(
        ({ differing }) => differing.length === 0,
      ),
      "something was due at the midnights around the leap day": forward
        .slice(0, LEAP_DAYS.length)
        .every(({ due }) => due > 0),
      "verify finds no difference": verified.differing === 0,
      "no failed jobs": (await queues.failedJobs()).length === 0,
    },
    figures: {
      moves: arrivals.length,
      due_at_moves: arrivals.map(({ due }) => due),
      slowest_move_seconds: seconds(Math.max(...arrivals.map(({ ms }) => ms))),
    },
  };
}

async function manyDue(context: DrillContext, installation: Installation): Promise<Outcome> {
  const { service, queues, client, names } = installation;
  const before = dayOf(FIRST);
  context.say(`storing ${DUE} companies that raised today, so that every score is lower tomorrow`);
  await installation.killIndexer();
  service.env["TRANCHE_NOW"] = FIRST;
  await installation.startIndexer();
  const enqueuer = createEnqueuer(queues.queue<IngestJob>(QUEUES.ingest));
  for (let n = 0; n < DUE; n++) {
    await enqueuer.add(
      company(1, `co-${n}`, { country: context.random.pick(["US", "DE", "IN"]), observed_at: isoDay(before) }),
    );
    await enqueuer.add(round(1, `rnd-${n}`, `co-${n}`, { announced_date: isoDay(before), amount_usd: 1_000_000 + n }));
  }
  await enqueuer.flush();
  await queues.settled(DUE_WITHIN_MS);
  const live = names.role("companies", "live");
  const due = await dueOn(client, live, before + 1);

  service.env["TRANCHE_NOW"] = new Date((before + 1) * 86_400_000).toISOString();
  await service.startApi();
  const key = await service.key();
  context.say(`${due} documents are due tomorrow; watching live traffic before`);
  const traffic = watchTraffic({
    queues,
    client,
    names,
    base: service.base,
    key,
    random: context.random,
    companies: DUE,
  });
  await pause(WATCHED_MS);
  const calm = traffic.lap();

  // The indexer is killed for it: a write that it was at waits for the lock to be lost, which is the longest wait of all.
  context.say("midnight");
  await installation.killIndexer();
  await installation.startIndexer();
  const start = Date.now();
  let left = due;
  while (left > 0 && Date.now() - start < 2 * DUE_WITHIN_MS) {
    await pause(1000);
    left = await dueOn(client, live, before + 1);
  }
  const ms = Date.now() - start;
  const busy = await traffic.stop();
  await queues.settled();
  context.say(`done after ${seconds(ms)} s; comparing`);
  const verified = JSON.parse((await service.ops(["verify", "--json"])).stdout) as {
    compared: number;
    differing: number;
  };
  return {
    checks: {
      "all were due": due >= DUE,
      "all due documents are done in time": left === 0 && ms <= DUE_WITHIN_MS,
      "writes are searchable in time meanwhile": busy.searchable_ms.p95 <= SEARCHABLE_WITHIN_MS,
      "every document equals a fresh derivation": verified.differing === 0,
    },
    figures: { due, due_seconds: seconds(ms), due_per_second: Math.round((due - left) / (ms / 1000)), calm, busy },
  };
}

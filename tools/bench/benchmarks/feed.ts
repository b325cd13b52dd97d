import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { RecordWrite, RoundRecord } from "@tranche/shared/domain/records/record";
import { type Benchmark, goal } from "../benchmark.ts";
import { writesOf } from "../data/documents.ts";
import { startApi } from "../environment/api.ts";
import { emptyEnvironment, type Environment } from "../environment/environment.ts";
import { type Indexer, startIndexer } from "../environment/indexer.ts";
import { follow, measureDelay } from "../feed/follower.ts";
import { createFollowing, startReceivers } from "../feed/receivers.ts";
import { write } from "../writes/steadily.ts";
import { createSample, figuresOf } from "../load/sample.ts";

const RECORDS_A_SECOND = 4000;
const JOBS_A_SECOND = 8;
const DELAYS_A_SECOND = 1;
/** Rounds that are written for webhooks. */
const ROUNDS = { one: 5000, many: 100 };
const MANY = 1000;
const DELIVERED_WITHIN_MS = 300_000;

/** From the list to the feed, and from the feed to webhooks. */
export const feed: Benchmark = {
  name: "feed",
  about: "how long after the list the feed has a change, and changes delivered to 1 and to 1,000 webhooks",
  async run(environment, options) {
    const key = randomBytes(32);
    const empty = await emptyEnvironment(environment, "feed");
    const fresh: Environment = {
      ...empty,
      env: { ...empty.env, TRANCHE_WEBHOOK_KEY: key.toString("base64"), TRANCHE_WEBHOOK_TARGETS: "any" },
    };
    const indexer = await startIndexer(fresh);
    const api = await startApi(fresh);
    const { world } = fresh;
    const first = writesOf(world.family(0), Date.now());
    await write(indexer, first);
    await indexer.drained();
    const round = first.find((each) => each.type === "round")!;
    const probe = (amount: number) =>
      write(indexer, [
        { ...round, version: Date.now(), body: { ...(round.body as RoundRecord), amount_usd: amount } } as RecordWrite,
      ]);

    const follower = follow(api);
    const [idle, loaded] = [createSample("idle"), createSample(`under ${RECORDS_A_SECOND} records/s`)];
    const count = Math.max(10, Math.round(options.seconds * DELAYS_A_SECOND));
    for (let n = 0; n < count; n++) {
      await measureDelay({ api, follower, write: probe }, idle);
      await pause(100);
    }
    let wanted = true;
    const writing = writeSteadily(fresh, indexer, () => wanted);
    for (let n = 0; n < count; n++) await measureDelay({ api, follower, write: probe }, loaded);
    wanted = false;
    const written = await writing;
    await indexer.drained();
    await follower.stop();

    const receivers = await startReceivers();
    const toMany = async (webhooks: number, rounds: number) => {
      await createFollowing(fresh, indexer, { key, receivers, count: webhooks });
      await pause(2000);
      const [before, start] = [receivers.changes(), performance.now()];
      const due = before + (webhooks + (webhooks === 1 ? 0 : 1)) * rounds;
      const rows = Array.from({ length: rounds }, (_, n) => roundOf(round, `bench-${webhooks}-${n}`));
      await write(indexer, rows);
      while (receivers.changes() < due) {
        if (performance.now() - start > DELIVERED_WITHIN_MS)
          throw new Error("webhooks did not get all changes in time");
        await pause(20);
      }
      return Math.round((receivers.changes() - before) / ((performance.now() - start) / 1000));
    };
    const one = await toMany(1, ROUNDS.one);
    const many = await toMany(MANY, ROUNDS.many);
    await receivers.close();
    await api.process.stop();
    await indexer.stop();

    const [atIdle, atLoad] = [figuresOf(idle), figuresOf(loaded)];
    const goals = [
      goal("p99 in s from the list to the feed, idle,", atIdle.p99_ms / 1000, { most: 2 }),
      goal("p99 in s from the list to the feed, under load,", atLoad.p99_ms / 1000, { most: 5 }),
    ];
    return {
      ratio: atIdle.p99_ms / 2000,
      figures: { idle: atIdle, loaded: atLoad, written_per_second: written, delivered_per_second: { one, many } },
      table: {
        head: ["what", "p50 ms", "p99 ms", "changes/s"],
        rows: [
          ["list to feed, idle", atIdle.p50_ms, atIdle.p99_ms, ""],
          [`list to feed, ${written} records/s`, atLoad.p50_ms, atLoad.p99_ms, ""],
          ["to 1 webhook", "", "", one],
          [`to ${MANY} webhooks, all together`, "", "", many],
        ],
      },
      goals,
    };
  },
};

const roundOf = (round: RecordWrite, id: string): RecordWrite =>
  ({ ...round, id, version: Date.now(), body: { ...(round.body as RoundRecord), id } }) as RecordWrite;

/** Writes new companies at a fixed rate, unless the queue is long. Returns the records per second that were written. */
async function writeSteadily({ world }: Environment, indexer: Indexer, wanted: () => boolean): Promise<number> {
  const start = performance.now();
  let written = 0;
  let position = 1;
  for (let jobs = 1; wanted(); jobs++) {
    const records: RecordWrite[] = [];
    while (records.length < RECORDS_A_SECOND / JOBS_A_SECOND)
      records.push(...writesOf(world.family(position++), Date.now()));
    await write(indexer, records);
    written += records.length;
    await indexer.waitingAtMost(16);
    await pause(Math.max(0, start + (jobs * 1000) / JOBS_A_SECOND - performance.now()));
  }
  return Math.round(written / ((performance.now() - start) / 1000));
}

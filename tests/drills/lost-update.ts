import { setTimeout as pause } from "node:timers/promises";
import { type IngestJob, JOB_OPTIONS, QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { company, deletion, investor, signal } from "../support/writes.ts";
import type { Drill } from "./drill.ts";
import { judge, withInstallation } from "./installation.ts";
import type { Random } from "./random.ts";
import { randomRound } from "./workload.ts";

const REPEATED = 0.1;
const DELAYED = 0.2;
const LONGEST_DELAY_MS = 2000;

export const lostUpdate: Drill = {
  name: "lost-update",
  about: "many writers update, delete and move the same few records at once, shuffled, repeated and delayed",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const { engines, random, say, size } = context;
      const { entities, updates, writers, restart } =
        size === "full"
          ? { entities: 1000, updates: 10_000, writers: 50, restart: true }
          : { entities: 60, updates: 600, writers: 20, restart: false };
      const writes = randomUpdates(random, entities, updates);
      const queue = installation.queues.queue<IngestJob>(QUEUES.ingest);
      let repeated = 0;
      const send = async (records: RecordWrite[]) => {
        const delay = random.chance(DELAYED) ? { delay: random.below(LONGEST_DELAY_MS) } : {};
        await queue.add("records", { records }, { ...JOB_OPTIONS, ...delay });
      };
      const shares = Map.groupBy(random.shuffled(writes), () => random.below(writers));
      const write = async (share: RecordWrite[]) => {
        const left = [...share];
        while (left.length > 0) {
          const records = left.splice(0, 1 + random.below(6));
          await send(records);
          if (random.chance(REPEATED)) {
            repeated += records.length;
            await send(records);
          }
          await pause(random.below(20));
        }
      };
      const writing = Promise.all([...shares.values()].map(write));
      if (restart) {
        await pause(15_000);
        say("Elasticsearch is restarted");
        await engines.elasticsearch.stop();
        await engines.elasticsearch.start();
      }
      await writing;
      const settled = await judge(context, installation, writes, { withinMs: 900_000 });
      // Once more, each with its own version: records deleted long ago, or before a restart, stay deleted.
      if (restart) {
        say("Elasticsearch is restarted again, and a part of all writes repeated");
        await engines.elasticsearch.stop();
        await engines.elasticsearch.start();
      }
      const again = random.shuffled(writes).slice(0, Math.ceil(updates / 5));
      repeated += again.length;
      await installation.queues.send(again, 20);
      const { checks, figures } = await judge(context, installation, writes, { withinMs: 900_000 });
      return {
        checks: { ...checks, "held before the repeats": Object.values(settled.checks).every(Boolean) },
        figures: { entities, writers, repeated, restarts: restart ? 2 : 0, ...figures },
      };
    }),
};

/** Updates of random records, each with its version; a round goes from company to company. */
function randomUpdates(random: Random, entities: number, updates: number): RecordWrite[] {
  const among = { companies: Math.ceil(entities * 0.2), investors: Math.ceil(entities * 0.1) };
  const [rounds, signals] = [Math.ceil(entities * 0.5), Math.ceil(entities * 0.2)];
  const one = (version: number): RecordWrite => {
    const kind = random.below(10);
    const gone = random.chance(0.15);
    if (kind < 2) {
      const id = `co-${random.below(among.companies)}`;
      return gone ? deletion(version, "company", id) : company(version, id, { name: `Company v${version}` });
    }
    if (kind < 3) {
      const id = `inv-${random.below(among.investors)}`;
      return gone ? deletion(version, "investor", id) : investor(version, id, { name: `Investor v${version}` });
    }
    if (kind < 8) {
      const id = `rnd-${random.below(rounds)}`;
      return gone ? deletion(version, "round", id) : randomRound(random, version, id, among);
    }
    const id = `sig-${random.below(signals)}`;
    const key = random.pick(["hiring", "award", "partnership", "layoffs"]);
    return gone ? deletion(version, "signal", id) : signal(version, `co-${random.below(among.companies)}`, key, { id });
  };
  return Array.from({ length: updates }, (_, n) => one(n + 1));
}

import type { RecordWrite } from "@tranche/shared/records/record";
import { round } from "../support/writes.ts";
import { plansWithoutLimits } from "../support/plans-file.ts";
import type { Drill } from "./drill.ts";
import { judge, until, withInstallation } from "./installation.ts";
import { differences, startMirror } from "./mirror.ts";
import { firstRecords } from "./workload.ts";

const LISTS = [
  ["/funding", ""],
  ["/funding", "deal_types=series_a"],
  ["/signals", "min_signal_score=30"],
] as const;
/** In the words of the contract: the feed stands at most for so long. */
const STANDS_MS = 5000;

export const restart: Drill = {
  name: "restart",
  about: "everything is stopped in order and started again: followers of the feed hear of no change",
  run: (context) =>
    withInstallation(context, { env: { TRANCHE_PLANS_FILE: plansWithoutLimits() } }, async (installation) => {
      const { engines, random, say, size } = context;
      const { records, clean, killed } =
        size === "full" ? { records: 20_000, clean: 20, killed: 20 } : { records: 2000, clean: 3, killed: 2 };
      const { queues, service } = installation;
      const writes = firstRecords(random, records);
      await queues.send(writes, 50);
      await queues.investorsSettled(900_000);
      await service.startApi();
      const key = await service.key();
      const mirrors = LISTS.map(([path, filters]) => startMirror(() => service.base, path, filters, key));
      const rounds = writes.filter((write) => write.type === "round");
      let version = 10_000_000;
      const changed: RecordWrite[] = [];
      const change = async () => {
        const { id, body } = random.pick(rounds);
        const written = round(version++, id, body!.company_id, { amount_usd: 1000 + random.below(1e6) });
        changed.push(written);
        await queues.send([written], 1);
      };
      const equal = async (): Promise<boolean> => {
        for (const mirror of mirrors) {
          if (!mirror.read.isEnd || (await differences(mirror, service.base, key)).length > 0) return false;
        }
        return true;
      };
      await until("the mirrors have everything", 300_000, equal);

      const answers = async (): Promise<boolean> =>
        (
          await fetch(`${service.base}/funding/changes?since=${mirrors[0]!.read.position}`, {
            headers: { authorization: `Bearer ${key}` },
          })
        ).ok;
      let [announced, stood] = [0, 0];
      for (let n = 1; n <= clean; n++) {
        await change();
        await queues.settled();
        await until("the mirrors have the last change", 60_000, equal);
        const before = mirrors.map(({ changes }) => changes);
        say(`stopped in order, ${n} of ${clean}`);
        await installation.stopIndexer();
        await engines.redis.stop();
        await engines.redis.start();
        await installation.startIndexer();
        stood = Math.max(stood, await until("the feed answers", 60_000, answers));
        await queues.settled();
        await until("the mirrors are at the end", 60_000, equal);
        announced += mirrors.reduce((sum, { changes }, at) => sum + changes - before[at]!, 0);
      }
      for (let n = 1; n <= killed; n++) {
        await change();
        say(`Redis and the indexer killed, ${n} of ${killed}`);
        await Promise.all([installation.killIndexer(), engines.redis.kill()]);
        await engines.redis.start();
        await installation.startIndexer();
        await queues.settled(300_000);
        await until("the mirrors equal their lists", 300_000, equal);
      }
      await Promise.all(mirrors.map((mirror) => mirror.stop()));
      const refusals = mirrors.flatMap((mirror) => mirror.refusals);
      for (const refusal of refusals.slice(0, 5)) say(refusal);
      const { checks, figures } = await judge(context, installation, [...writes, ...changed], { withinMs: 900_000 });
      return {
        checks: {
          ...checks,
          "no change without a change": announced === 0,
          "the feed stands for at most 5 s": stood <= STANDS_MS,
          "mirrors are never refused": refusals.length === 0,
        },
        figures: { clean, killed, announced, stood_ms: stood, ...figures },
      };
    }),
};

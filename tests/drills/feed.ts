import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { company, deletion, investor, signal } from "../support/writes.ts";
import { type Drill, seconds } from "./drill.ts";
import { judge, NOW, until, withInstallation } from "./installation.ts";
import { differences, type Mirror, startMirror } from "./mirror.ts";
import type { Random } from "./random.ts";
import { among, firstRecords, randomRound } from "./workload.ts";

const LATER = "2025-07-15T12:00:00Z";
const COUNTRIES = ["US", "DE", "FR", "IN"];
const FUNDING = [
  "",
  ...COUNTRIES.map((code) => `country=${code}`),
  "deal_types=seed",
  "min_amount_usd=100",
  "investors=inv-1",
  "country=!US",
];
const SIGNALS = [
  "",
  ...COUNTRIES.map((code) => `country=${code}`),
  "signal=hiring",
  "signal=!just_raised",
  "signal=just_raised",
];
const LISTS = [
  ...FUNDING.map((filters) => ["/funding", filters] as const),
  ...SIGNALS.map((filters) => ["/signals", filters] as const),
];
/** Of one account: ten requests of an account may wait at once. */
const MIRRORS_PER_ACCOUNT = 8;

export const feed: Drill = {
  name: "feed",
  about: "mirrors that follow the feed while indexers and engines are killed, beside writes, a rebuild and a rollback",
  async run(context) {
    const { random, say, size, engines } = context;
    const { readers, records, writes, kills } =
      size === "full"
        ? { readers: 50, records: 5000, writes: 10_000, kills: 10 }
        : { readers: 12, records: 400, writes: 400, kills: 2 };
    const folder = mkdtempSync(join(tmpdir(), "tranche-feed-"));
    const plansFile = join(folder, "plans.json");
    const plan = { name: "Drill", max_limit: 50, burst: 100_000, quota: 10_000_000 };
    writeFileSync(plansFile, JSON.stringify({ drill: plan }));
    const mirrors: Mirror[] = [];
    try {
      return await withInstallation(context, { env: { TRANCHE_PLANS_FILE: plansFile } }, async (installation) => {
        const { queues, service } = installation;
        const all = firstRecords(random, records);
        await queues.send(all);
        await queues.settled(300_000);
        await service.startApi();
        const keys = await Promise.all(
          Array.from({ length: Math.ceil(readers / MIRRORS_PER_ACCOUNT) }, () => service.key("drill")),
        );
        for (let n = 0; n < readers; n++) {
          const [path, filters] = LISTS[n % LISTS.length]!;
          mirrors.push(startMirror(() => service.base, path, filters, keys[n % keys.length]!));
        }

        const restart = async (now: string) => {
          await installation.killIndexer();
          service.env["TRANCHE_NOW"] = now;
          await installation.startIndexer();
        };
        const ops = async (...args: string[]) => {
          const { code, stderr } = await service.spawnOps(args);
          if (code !== 0) throw new Error(`ops ${args.join(" ")}: ${stderr}`);
        };
        /** What happens after a kill, by its number. */
        const others: Record<number, () => Promise<unknown>> =
          size === "full"
            ? {
                1: () => ops("reindex", "--wait"),
                3: () => restart(LATER),
                4: () => ops("rollback"),
                5: () => restart(NOW),
                6: () => engines.elasticsearch.kill().then(() => engines.elasticsearch.start()),
                8: () => engines.redis.kill().then(() => engines.redis.start()),
              }
            : { 0: () => ops("reindex", "--wait"), 1: () => ops("rollback") };
        for (let kill = 0; kill < kills; kill++) {
          const some = randomWrites(random, 2 + kill * writes, Math.ceil(writes / kills), records);
          all.push(...some);
          const sending = queues.send(some, 10);
          await pause(300 + random.below(2000));
          await installation.killIndexer();
          say(`killed the indexer, the ${kill + 1}. time`);
          await installation.startIndexer();
          await others[kill]?.();
          await sending;
        }
        const { checks, figures } = await judge(context, installation, all, { withinMs: 900_000 });
        say("waiting until the mirrors equal their lists");
        let different: string[] = [];
        const ms = await until("every mirror equals its list", 180_000, async () => {
          different = [];
          for (const [n, mirror] of mirrors.entries()) {
            const ids = await differences(mirror, service.base, keys[n % keys.length]!);
            if (ids.length > 0) different.push(`${mirror.list}: ${ids.length}, such as ${ids[0]}`);
          }
          return different.length === 0;
        }).catch(() => 180_000);
        for (const each of different.slice(0, 5)) say(`differs: ${each}`);
        const refusals = mirrors.flatMap((mirror) => mirror.refusals);
        for (const each of refusals.slice(0, 5)) say(`refused: ${each}`);
        return {
          checks: {
            ...checks,
            "every mirror equals its list": different.length === 0,
            "no position expires, and nothing else is refused": refusals.length === 0,
          },
          figures: {
            mirrors: mirrors.length,
            kills,
            pages: mirrors.reduce((sum, { pages }) => sum + pages, 0),
            equal_after_seconds: seconds(ms),
            ...figures,
          },
        };
      });
    } finally {
      await Promise.all(mirrors.map((mirror) => mirror.stop()));
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Writes of rounds, deletions, moves of companies to another country, new names of investors, and signals. */
function randomWrites(random: Random, version: number, count: number, records: number): RecordWrite[] {
  const { companies, investors } = among(records);
  return Array.from({ length: count }, (_, n): RecordWrite => {
    const [at, round] = [version + n, `rnd-${random.below(records)}`];
    const owner = `co-${random.below(companies)}`;
    const kind = random.below(12);
    if (kind === 0) return deletion(at, "round", round);
    if (kind === 1) return company(at, owner, { country: random.pick(COUNTRIES) });
    if (kind === 2) return investor(at, `inv-${random.below(investors)}`, { name: `Investor at ${at}` });
    if (kind === 3) return signal(at, owner, "hiring", { detected_at: "2025-06-10" });
    return randomRound(random, at, round, { companies, investors });
  });
}

import { setTimeout as pause } from "node:timers/promises";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { plansWithoutLimits } from "../support/plans-file.ts";
import type { Service } from "../support/service.ts";
import { round } from "../support/writes.ts";
import type { Drill, DrillContext } from "./drill.ts";
import { type Installation, judge, newAccount, until, withInstallation } from "./installation.ts";
import { followByLink, followByWebhook, followFeed, type Follower } from "./followers.ts";
import { copyRedis } from "./redis-copy.ts";
import { WEBHOOK_ENV } from "./webhook-operations.ts";
import { firstRecords } from "./workload.ts";

const LISTS = [
  { path: "/funding", filters: "" },
  { path: "/funding", filters: "deal_types=series_a" },
  { path: "/signals", filters: "min_signal_score=30" },
] as const;
const OF_WEBHOOK_AND_LINK = LISTS[1];
/** In the words of the contract: the feed stands at most for so long. */
const STANDS_MS = 5000;
/** Everything is derived so long after a loss, and that may say nothing. */
const AFTER_LOSS_MS = 25_000;
const WITHIN_MS = 300_000;

/** The only kind of which Redis lacks what was noted: operators are told of a loss. */
const LOSS = "the last two seconds lost";
/** For `ops ingest --wait` of one record, with the start of the command. */
const SEARCHABLE_MS = 5000;

type Of = { installation: Installation; engines: DrillContext["engines"]; change: () => Promise<void> };

/** Ways to restart, each around a write. The indexer runs before and after it. */
const KINDS: Record<string, (of: Of) => Promise<void>> = {
  "everything stopped in order": async ({ installation, engines }) => {
    await installation.queues.settled();
    await installation.stopIndexer();
    await engines.redis.stop();
    await engines.redis.start();
    await installation.startIndexer();
  },
  "Redis killed beside the indexer": async ({ engines, change }) => {
    await change();
    await engines.redis.kill();
    await engines.redis.start();
  },
  "both killed": async ({ installation, engines, change }) => {
    await change();
    await Promise.all([installation.killIndexer(), engines.redis.kill()]);
    await engines.redis.start();
    await installation.startIndexer();
  },
  "both killed, `ops status` looks first": async ({ installation, engines, change }) => {
    await change();
    await Promise.all([installation.killIndexer(), engines.redis.kill()]);
    await engines.redis.start();
    await installation.service.spawnOps(["status", "--json"]);
    await installation.startIndexer();
  },
  "Redis killed twice in a row": async ({ engines, change }) => {
    await change();
    for (let n = 0; n < 2; n++) {
      await engines.redis.kill();
      await engines.redis.start();
    }
  },
  [LOSS]: async ({ installation, engines, change }) => {
    const older = await copyRedis(engines.redis, installation.queues.redis);
    await change();
    // A write whose job is not done would be lost with Redis.
    await installation.queues.settled(WITHIN_MS);
    await pause(2000);
    await installation.killIndexer();
    await older.putBack();
    await older.remove();
    await installation.startIndexer();
  },
};

/** The short form has those that differ in what a process knows of itself; each takes ten seconds or more. */
const SHORT = ["everything stopped in order", "Redis killed beside the indexer", "both killed"];

export const restart: Drill = {
  name: "restart",
  about:
    "restarts of Redis and the indexer of every kind: mirrors, a webhook and a feed link hear of what was written, and of nothing else",
  run: (context) =>
    withInstallation(
      context,
      { env: { ...WEBHOOK_ENV, TRANCHE_PLANS_FILE: plansWithoutLimits() } },
      async (installation) => {
        const { engines, random, say, size } = context;
        const { records, times } = size === "full" ? { records: 20_000, times: 20 } : { records: 500, times: 1 };
        const { queues, service } = installation;
        const writes = firstRecords(random, records);
        await queues.send(writes, 50);
        await queues.investorsSettled(900_000);
        await service.startApi();
        const key = await service.key();
        const account = await newAccount(service);
        const feeds = LISTS.map((list) => followFeed(installation, { ...list, key }));
        const pushed = await followByWebhook(installation, { ...OF_WEBHOOK_AND_LINK, key, account });
        const rounds = writes.filter((write) => write.type === "round");
        let version = 10_000_000;
        const changed: RecordWrite[] = [];
        /** Documents that the writes are about since this restart and the one before: their last changes may still be on the way. */
        let [before, due] = [new Set<string>(), new Set<string>()];
        const write = () => {
          const { id, body } = random.pick(rounds);
          const written = round(version++, id, body!.company_id, { amount_usd: 1000 + random.below(1e6) });
          changed.push(written);
          for (const each of [id, body!.company_id]) due.add(each);
          return written;
        };
        const change = async () => {
          await queues.send([write()], 1);
          await until("the change is in Redis' file", WITHIN_MS, () => isInFile(queues.redis));
        };
        const followers: Follower[] = [...feeds, pushed];
        const current = () => areCurrent(followers);
        await until("followers have everything", WITHIN_MS, current);
        followers.push(await followByLink(installation, { ...OF_WEBHOOK_AND_LINK, key, account }));
        const figures: Record<string, unknown> = {};
        const untrue: string[] = [];
        let slowest = 0;
        const stood: number[] = [];
        const errors: string[] = [];
        for (const [kind, restarted] of Object.entries(KINDS)) {
          if (size === "short" && !SHORT.includes(kind)) continue;
          const told = new Set<string>();
          let longest = 0;
          for (let n = 1; n <= times; n++) {
            say(`${kind}, ${n} of ${times}`);
            [before, due] = [due, new Set()];
            await newsOf(followers);
            const logged = installation.log().length;
            await restarted({ installation, engines, change });
            longest = Math.max(
              longest,
              await until("the feed answers", WITHIN_MS, () => answers(service.base, feeds[0]!.position(), key)),
            );
            if (kind !== LOSS) errors.push(...errorsIn(installation.log().slice(logged)));
            await queues.settled(WITHIN_MS);
            await until("followers have what their lists show", WITHIN_MS, current);
            if (kind === LOSS) await pause(AFTER_LOSS_MS);
            await queues.settled(WITHIN_MS);
            await until("followers are at the end", WITHIN_MS, current);
            for (const { name, id } of await newsOf(followers)) {
              told.add(id);
              if (!due.has(id) && !before.has(id)) untrue.push(`${name} was told of ${id}, which nobody had changed`);
            }
          }
          const written = write();
          const searchable = await ingestOne(service, written);
          figures[kind] = { times, told: told.size, stood_ms: longest, searchable_ms: searchable };
          stood.push(longest);
          slowest = Math.max(slowest, searchable);
          // The command stores the time of its call. Written once more, the record is as the oracle expects it.
          const again = { ...written, version: version++ };
          changed.push(again);
          await queues.send([again], 1);
          await queues.settled(WITHIN_MS);
        }
        await Promise.all(followers.map((follower) => follower.stop()));
        const refusals = feeds.flatMap((feed) => feed.refusals);
        for (const refusal of refusals.slice(0, 5)) say(refusal);
        for (const line of errors.slice(0, 5)) say(line);
        for (const line of untrue.slice(0, 10)) say(line);
        const judged = await judge(context, installation, [...writes, ...changed], { withinMs: 900_000 });
        return {
          checks: {
            ...judged.checks,
            "followers are told of what was written, and of nothing else": untrue.length === 0,
            // The short form runs beside other tests, whose load says nothing of a restart.
            ...(size === "full" && {
              "the feed stands for at most 5 s": Math.max(...stood) <= STANDS_MS,
              "one record is searchable within 5 s": slowest <= SEARCHABLE_MS,
            }),
            "nothing is logged as an error": errors.length === 0,
            "readers of the feed are never refused": refusals.length === 0,
          },
          figures: { ...figures, untrue: untrue.length, ...judged.figures },
        };
      },
    ),
};

async function areCurrent(followers: readonly Follower[]): Promise<boolean> {
  for (const follower of followers) if (!(await follower.isCurrent())) return false;
  return true;
}

/** What followers have heard since the last call. */
async function newsOf(followers: readonly Follower[]): Promise<{ name: string; id: string }[]> {
  const news: { name: string; id: string }[] = [];
  for (const follower of followers) {
    for (const id of await follower.heard()) news.push({ name: follower.name, id });
  }
  return news;
}

const answers = async (base: string, position: string, key: string): Promise<boolean> => {
  const url = `${base}/funding/changes?since=${position}`;
  return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).ok;
};

/** After how many ms `ops ingest --wait` of a record has ended. */
async function ingestOne(service: Service, { type, id, version, body }: RecordWrite): Promise<number> {
  const began = Date.now();
  const { code, stderr } = await service.spawnOps(
    ["ingest", "-", "--wait"],
    JSON.stringify({ ...body, type, id, version }),
  );
  if (code !== 0) throw new Error(stderr);
  return Date.now() - began;
}

const errorsIn = (log: string): string[] =>
  log.split("\n").filter((line) => /"level":("error"|"fatal"|50|60)/.test(line));

/**
 * Whether all that Redis has acknowledged has left its memory. While it waits for a sync it answers before it writes, for up to two seconds,
 * and a kill then loses what no service could keep.
 */
export async function isInFile(redis: RedisClient): Promise<boolean> {
  return /^aof_buffer_length:0\r?$/m.test(await redis.info("persistence"));
}

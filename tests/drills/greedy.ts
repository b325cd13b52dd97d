import { setTimeout as pause } from "node:timers/promises";
import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { openQueues } from "../support/queues.ts";
import { company, investor, round } from "../support/writes.ts";
import { type Callers, withCallers } from "./callers.ts";
import type { Drill } from "./drill.ts";
import { type Answer, percentile, press, type Question, served, steady, tally } from "./load.ts";
import type { Random } from "./random.ts";

/** Others may wait so much longer beside the greedy, or this many ms. */
const FACTOR = 3;
const MAX_P99_MS = 100;
/** Less than the 60 s of a burst, so that all requests count in one. */
const BESIDE_MS = 59_000;
const REFUSED_MS = 250;
const WRITTEN_WITHIN_MS = 300_000;
const INVESTORS_OF_ROUND = 5;
/** Long words of few syllables, so that many are within two edits of each other. */
const SYLLABLES = ["ban", "car", "del", "fin", "gor", "hal", "lim", "mor", "nat", "pol", "ras", "ven"];

export const greedy: Drill = {
  name: "greedy",
  about: "an account of each plan sends the most expensive requests that it may for a minute, beside another account",
  run(context) {
    const { engines, random, size, say } = context;
    const { companies, rounds, aloneMs, besideMs, lists, connections } =
      size === "full"
        ? { companies: 4000, rounds: 32_000, aloneMs: 20_000, besideMs: BESIDE_MS, lists: 20, connections: 20 }
        : { companies: 100, rounds: 1000, aloneMs: 2000, besideMs: 5000, lists: 10, connections: 8 };
    const plans = { ...DEFAULT_PLANS, other: { burst: 1_000_000, quota: 1_000_000 } };
    return withCallers(context, { processes: 1, plans }, async (callers) => {
      await fill(callers, engines.redis.url, random, { companies, rounds });
      const other = await callers.caller("other");
      const fresh = (path: string): Question => ({
        ...other,
        path: () => `${path}min_amount_usd=${random.below(1e6)}`,
      });
      const load = {
        lists: steady(fresh("/funding?limit=20&"), { perSecond: lists, connections: 8 }),
        statistics: steady(fresh("/funding/stats?group_by=country,deal_type&"), { perSecond: 1, connections: 2 }),
      };
      await pause(aloneMs / 4);
      for (const each of Object.values(load)) each.lap();
      await pause(aloneMs);
      const alone = { lists: load.lists.lap(), statistics: load.statistics.lap() };
      say(`alone: lists p99 ${percentile(alone.lists, 0.99)} ms, statistics ${percentile(alone.statistics, 0.99)} ms`);

      const names = Object.keys(DEFAULT_PLANS);
      const takers = await Promise.all(names.map((plan) => callers.caller(plan)));
      const until = performance.now() + besideMs;
      const sent = await Promise.all(
        takers.map((caller) =>
          press({ ...caller, path: () => dearest(random) }, { clients: connections, until, refusedMs: REFUSED_MS }),
        ),
      );
      const counted = await Promise.all(takers.map(({ account }) => callers.burstUsed(account)));
      const beside = { lists: await load.lists.stop(), statistics: await load.statistics.stop() };
      const [before, p99] = [percentile(alone.lists, 0.99), percentile(beside.lists, 0.99)];
      const most = Math.max(FACTOR * before, MAX_P99_MS);
      // Some of what was refused counts too: a turn for a request that costs much is only asked for afterwards.
      const plansKept = names.every(
        (plan, n) => begun(sent[n]!).length <= counted[n]! && counted[n]! <= DEFAULT_PLANS[plan]!.burst,
      );
      const statistics = [...alone.statistics, ...beside.statistics];
      return {
        checks: {
          "the other account's lists are all 200": served(beside.lists).length === beside.lists.length,
          "its statistics are all 200": served(statistics).length === statistics.length,
          "no greedy account has more than its burst": plansKept,
          ...(size === "full"
            ? { [`p99 of its lists at most ${FACTOR} times what it was alone, or ${MAX_P99_MS} ms`]: p99 <= most }
            : {}),
        },
        figures: {
          rounds,
          alone_ms: figuresOf(alone),
          beside_ms: figuresOf(beside),
          greedy: Object.fromEntries(names.map((plan, n) => [plan, { counted: counted[n], ...tally(sent[n]!) }])),
        },
      };
    });
  },
};

/** Those that certainly counted in the burst, because they were not refused. */
const begun = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status !== 429 && status !== 0);

const figuresOf = (of: Record<string, readonly Answer[]>) =>
  Object.fromEntries(
    Object.entries(of).map(([name, answers]) => [
      name,
      { requests: answers.length, p50: percentile(answers, 0.5), p99: percentile(answers, 0.99), ...tally(answers) },
    ]),
  );

const wordOf = (random: Random): string => Array.from({ length: 3 }, () => random.pick(SYLLABLES)).join("");
const words = (random: Random, count: number): string => Array.from({ length: count }, () => wordOf(random)).join(" ");

/** The requests that cost Elasticsearch most, none twice. */
function dearest(random: Random): string {
  const narrow = `min_amount_usd=${random.below(1e9)}`;
  const text = encodeURIComponent(words(random, 9));
  const each = [
    `/funding/stats?group_by=investor,company&limit=1000&sort=total_amount_desc&${narrow}`,
    `/funding/stats?group_by=investor,lead_investor&limit=1000&sort=total_amount_desc&${narrow}`,
    `/search?q=${text}`,
    `/investors/${text}`,
    `/companies/${text}`,
    `/companies?q=${text}&min_total_raised_usd=${random.below(1e6)}`,
    `/funding?offset=${random.below(30_000)}&limit=10&${narrow}`,
  ];
  return random.pick(each);
}

/** Something whose statistics and searches take long. */
async function fill(
  { service }: Callers,
  redisUrl: string,
  random: Random,
  { companies, rounds }: { companies: number; rounds: number },
): Promise<void> {
  await service.startIndexer();
  const queues = openQueues(redisUrl, service.namespace);
  const [countries, types] = [
    ["US", "DE", "FR", "GB", "IN", "BR"],
    ["seed", "series_a", "series_b", "grant"],
  ];
  const ofRound = () =>
    Array.from({ length: INVESTORS_OF_ROUND }, (_, n) => ({
      investor_id: `inv-${random.below(companies)}`,
      is_lead: n === 0,
    }));
  await queues.send([
    ...Array.from({ length: companies }, (_, n) =>
      company(1, `co-${n}`, { name: words(random, 3), country: random.pick(countries) }),
    ),
    ...Array.from({ length: companies }, (_, n) => investor(1, `inv-${n}`, { name: words(random, 3) })),
  ]);
  await queues.send(
    Array.from({ length: rounds }, (_, n) =>
      round(1, `rnd-${n}`, `co-${n % companies}`, {
        amount_usd: 1000 * random.below(1e6),
        deal_type: random.pick(types),
        investors: ofRound(),
      }),
    ),
  );
  await queues.settled(WRITTEN_WITHIN_MS);
  await queues.close();
}

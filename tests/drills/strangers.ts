import { setTimeout as pause } from "node:timers/promises";
import pidusage from "pidusage";
import { openQueues } from "../support/queues.ts";
import { company, round } from "../support/writes.ts";
import { type Callers, withCallers } from "./callers.ts";
import type { Drill } from "./drill.ts";
import { type Answer, askInTurn, percentile, type Question, served, steady, tally } from "./load.ts";
import { STRANGER_REQUESTS } from "./stranger-requests.ts";
import { createStrangers, type Sent } from "./stranger-sender.ts";

const COMPANIES = 50;
const ROUNDS = 2000;
/** Others may wait so much longer while strangers ask. */
const FACTOR = 1.5;
/** What a stranger may cost on average. One that is let at a regular expression can cost hundreds. */
const MAX_CPU_MS = 5;

export const strangers: Drill = {
  name: "strangers",
  about: "the costliest requests that can be made without a key, 200 per second, beside callers that have one",
  run(context) {
    const { engines, size, say } = context;
    const { perSecond, phases, phaseMs, hot, cold } =
      size === "full"
        ? { perSecond: 200, phases: 10, phaseMs: 3000, hot: 80, cold: 20 }
        : { perSecond: 200, phases: 2, phaseMs: 1500, hot: 40, cold: 10 };
    const plans = { roomy: { burst: 1_000_000, quota: 1_000_000 } };
    // Strangers have many addresses: a proxy says which.
    const options = { processes: 1, plans, env: { TRANCHE_TRUSTED_PROXIES: "1" } };
    return withCallers(context, options, async (callers) => {
      await fill(callers, engines.redis.url);
      const caller = { ...(await callers.caller("roomy")), address: () => "198.51.100.1" };
      let asked = 0;
      const repeated: Question = { ...caller, path: "/funding?limit=10" };
      const fresh: Question = { ...caller, path: () => `/funding?limit=10&min_amount_usd=${++asked}` };
      const sender = createStrangers(caller.origin, context.random.below(1e9));
      try {
        await askInTurn(repeated, 10);
        // Each kind of request once: whatever is made only once is made now.
        const kinds = Object.keys(STRANGER_REQUESTS).length;
        const first = await sender.send({ forMs: (3 * kinds * 1000) / perSecond, perSecond });
        const loads = [
          steady(repeated, { perSecond: hot, connections: 8 }),
          steady(fresh, { perSecond: cold, connections: 8 }),
        ];
        const lap = () => loads.flatMap((load) => load.lap());
        await pause(phaseMs);
        lap();

        // By turns, so that what else the machine does meets both.
        const [without, beside]: [Answer[][], Answer[][]] = [[], []];
        const sent: Sent[] = [];
        const cpuMs = { without: 0, beside: 0 };
        for (let phase = 1; phase <= phases; phase++) {
          const atStart = await cpuOf(callers);
          await pause(phaseMs);
          without.push(lap());
          const between = await cpuOf(callers);
          sent.push(await sender.send({ forMs: phaseMs, perSecond }));
          beside.push(lap());
          cpuMs.without += between - atStart;
          cpuMs.beside += (await cpuOf(callers)) - between;
          say(`phase ${phase}: p99 ${p99(without.at(-1)!)} ms without strangers, ${p99(beside.at(-1)!)} beside them`);
        }
        const rest = (await Promise.all(loads.map((load) => load.stop()))).flat();

        const all = [...without.flat(), ...beside.flat(), ...rest];
        const requests = sent.reduce((sum, each) => sum + each.sent, 0);
        const wrong = [first, ...sent].flatMap((each) => each.wrong);
        const cpuPerStranger = (cpuMs.beside - cpuMs.without) / requests;
        return {
          checks: {
            "all others are served": served(all).length === all.length,
            "no stranger gets more than what is open to all": wrong.length === 0,
            [`a stranger costs less than ${MAX_CPU_MS} ms of CPU`]: cpuPerStranger < MAX_CPU_MS,
            ...(size === "full"
              ? {
                  [`p99 of the others at most ${FACTOR} times what it is without`]:
                    typicalP99(beside) <= FACTOR * typicalP99(without),
                  "strangers come as fast as they should": requests >= 0.95 * phases * (phaseMs / 1000) * perSecond,
                }
              : {}),
          },
          figures: {
            strangers: requests,
            kinds,
            per_second: perSecond,
            cpu_ms_per_stranger: Math.round(100 * cpuPerStranger) / 100,
            without_ms: shown(without),
            beside_ms: shown(beside),
            answers: tally(all),
            ...(wrong.length > 0 ? { wrong: wrong.slice(0, 10) } : {}),
          },
        };
      } finally {
        await sender.close();
      }
    });
  },
};

const p99 = (answers: readonly Answer[]) => percentile(answers, 0.99);

/** The median of the phases: one in which the machine was busy with something else does not decide. */
function typicalP99(phases: readonly Answer[][]): number {
  const sorted = phases.map(p99).toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

const shown = (phases: readonly Answer[][]) => ({
  requests: phases.flat().length,
  p50: percentile(phases.flat(), 0.5),
  p99: typicalP99(phases),
  p99_of_all: p99(phases.flat()),
  p99_of_phases: phases.map(p99),
});

/** CPU that the API has taken so far, in ms. */
async function cpuOf({ api }: Callers): Promise<number> {
  return (await pidusage(api.pid!)).ctime;
}

/** Something to search in. */
async function fill({ service }: Callers, redisUrl: string): Promise<void> {
  await service.startIndexer();
  const queues = openQueues(redisUrl, service.namespace);
  await queues.send([
    ...Array.from({ length: COMPANIES }, (_, n) => company(1, `co-${n}`)),
    ...Array.from({ length: ROUNDS }, (_, n) => round(1, `rnd-${n}`, `co-${n % COMPANIES}`, { amount_usd: 1000 * n })),
  ]);
  await queues.settled();
  await queues.close();
}

import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { setTimeout as pause } from "node:timers/promises";
import { createCounters } from "../../apps/api/admission/counters.ts";
import type { NodeState } from "../../apps/api/redis/gateway.ts";
import { createSilenceTimeout } from "../../apps/api/redis/silence-timeout.ts";
import { createCoalescedWrites } from "../../apps/api/redis/coalesced-writes.ts";
import { endOfMonth } from "../../apps/api/admission/limit-status.ts";
import { type Callers, withCallers } from "./callers.ts";
import type { Drill, DrillContext, Outcome } from "./drill.ts";
import { until } from "./installation.ts";
import { askInTurn, flood, served, steady, tally } from "./load.ts";
import { startRedisWire } from "./redis-wire.ts";

const SETTLED_WITHIN_MS = 10_000;

export const quotaExact: Drill = {
  name: "quota-exact",
  about: "more requests at once than the quota has; a month that ends under load; answers of Redis cut on the wire",
  async run(context) {
    const { engines, size } = context;
    const full = size === "full";
    const [quota, requests, clients] = full ? [10_000, 12_000, 400] : [1000, 1200, 100];
    const plans = { counted: { burst: 1_000_000, quota }, roomy: { burst: 1_000_000, quota: 1_000_000 } };
    const options = { processes: full ? 4 : 2, plans };
    const exact = await withCallers(context, options, async (callers) => {
      const caller = await callers.caller("counted");
      const answers = await flood(caller, clients, requests);
      const used = await callers.monthUsed(caller.account);
      context.say(`${requests} requests: ${JSON.stringify(tally(answers))}`);
      const month = await changeOfMonth(context, callers, full ? 2000 : 500);
      return {
        checks: {
          "exactly the quota is served": served(answers).length === quota,
          "all others get an error that it is used up":
            (tally(answers)["429 quota_exceeded"] ?? 0) === requests - quota && used === quota,
          ...month.checks,
        },
        figures: {
          quota,
          requests,
          clients,
          answers: tally(answers),
          month_used: used,
          redis_seemed_away: callers.log().split("Redis is away").length - 1,
          ...month.figures,
        },
      };
    });
    // Another API, for the wire runs in this process: beside a flood it would be too slow to pass for Redis.
    const wire = await startRedisWire(engines.redis.url);
    try {
      const cut = await withCallers(context, { ...options, redisUrl: wire.url }, (callers) =>
        cutAnswers(context, callers, wire.cut, full ? 20 : 3),
      );
      return { checks: { ...exact.checks, ...cut.checks }, figures: { ...exact.figures, ...cut.figures } };
    } finally {
      await wire.close();
    }
  },
};

/** With times of its own: a month filled in its last second, and then all times from there to five seconds later, in no order. */
async function changeOfMonth(
  { engines, random, say }: DrillContext,
  callers: Callers,
  requests: number,
): Promise<Outcome> {
  const { accounts, service } = callers;
  const caller = await callers.caller("counted");
  // Now a copy of the key is in Redis.
  await askInTurn({ ...caller, path: "/usage" }, 1);
  const redis = createQueueConnection(engines.redis.url, "drill");
  const state = { withTimeout: createSilenceTimeout(SETTLED_WITHIN_MS) } as NodeState;
  const counters = createCounters(
    { redis, nodeStateOf: () => state, coalesce: createCoalescedWrites(redis) },
    service.namespace,
  );
  const quota = Math.floor(requests * 0.8);
  const prices = [{ plan: "counted", burst: 1_000_000, quota, cost: 1, pool: 0, pooled: false }];
  const end = endOfMonth(Date.now()) * 1000;
  const admitted = async (times: number[]) => {
    const credentials = { handle: caller.account, hash: caller.record.key_hash };
    const decisions = await Promise.all(times.map((us) => counters.decide(credentials, prices, us)));
    return decisions.filter(({ verdict }) => verdict === "admitted").length;
  };
  const before = await admitted(Array.from({ length: requests }, () => end - 1 - random.below(1_000_000)));
  const around = await admitted(Array.from({ length: 2 * requests }, () => end - 1_000_000 + random.below(6_000_000)));
  redis.disconnect();
  say(`the month ends: ${before} before, ${around} around its end`);
  await accounts.remove(caller.account);
  return {
    checks: { "a month that ends begins anew exactly once": before === quota && around === quota },
    figures: { month_end: { quota, before, around } },
  };
}

/** The API hears nothing of what Redis has counted: it may not be charged again when Redis is back. */
async function cutAnswers(
  { say }: DrillContext,
  callers: Callers,
  cut: () => Promise<void>,
  cuts: number,
): Promise<Outcome> {
  const caller = await callers.caller("roomy");
  await askInTurn(caller, 8);
  const load = steady(caller, { perSecond: 200, connections: 32 });
  const back = () => callers.log().split("Redis is back").length - 1;
  for (let n = 1; n <= cuts; n++) {
    await pause(400);
    await cut();
    // A cut while Redis still seems away would not be noticed.
    await until("the API has found Redis again", SETTLED_WITHIN_MS, async () => back() >= n);
  }
  await pause(400);
  const answers = await load.stop();
  const answered = served(answers).length + 8;
  const used = await callers.monthUsed(caller.account);
  say(`${cuts} cuts: ${answered} served, ${used} charged`);
  return {
    checks: {
      "an answer that is cut is never charged twice": used <= answered,
      "what is served is charged, but for what was on the wire": answered - used <= cuts * 32,
      "nobody notices a cut": served(answers).length === answers.length,
    },
    figures: { cuts, cut_served: answered, cut_charged: used, cut_answers: tally(answers) },
  };
}

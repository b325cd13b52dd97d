import { setTimeout as pause } from "node:timers/promises";
import { createCounters } from "../../apps/api/admission/counters.ts";
import { createInTime } from "../../apps/api/admission/in-time.ts";
import { endOfMonth } from "../../apps/api/admission/standing.ts";
import { type Callers, withCallers } from "./callers.ts";
import type { Drill, DrillContext, Outcome } from "./drill.ts";
import { until } from "./installation.ts";
import { flood, served, steady, tally } from "./load.ts";
import { startRedisWire } from "./redis-wire.ts";

const SETTLED_WITHIN_MS = 10_000;
const OTHERS_MS = 5000;

export const quotaExact: Drill = {
  name: "quota-exact",
  about: "more requests at once than the quota has; a month that ends under load; answers of Redis cut on the wire",
  async run(context) {
    const { engines, size } = context;
    const full = size === "full";
    const [quota, requests, clients] = full ? [10_000, 12_000, 400] : [1000, 1200, 100];
    const wire = await startRedisWire(engines.redis.url);
    try {
      const plans = { counted: { burst: 1_000_000, quota }, roomy: { burst: 1_000_000, quota: 1_000_000 } };
      const options = { processes: full ? 4 : 2, plans, redisUrl: wire.url };
      return await withCallers(context, options, async (callers) => {
        const caller = await callers.caller("counted");
        const answers = await flood(caller, clients, requests);
        const used = await callers.monthUsed(caller);
        context.say(`${requests} requests: ${JSON.stringify(tally(answers))}`);
        const month = await changeOfMonth(context, callers, full ? 2000 : 500);
        const cut = await cutAnswers(context, callers, wire.cut, full ? 20 : 3);
        return {
          checks: {
            "exactly the quota is served": served(answers).length === quota,
            "all others are told that it is used up":
              (tally(answers)["429 quota_exceeded"] ?? 0) === requests - quota && used === quota,
            ...month.checks,
            ...cut.checks,
          },
          figures: {
            quota,
            requests,
            clients,
            answers: tally(answers),
            month_used: used,
            ...month.figures,
            ...cut.figures,
          },
        };
      });
    } finally {
      await wire.close();
    }
  },
};

/** With times of its own: all in the last second of the month, then half before and half after its end, in no order. */
async function changeOfMonth({ random }: DrillContext, callers: Callers, requests: number): Promise<Outcome> {
  const { account, record } = await callers.caller("counted");
  // So that a copy of the key is there.
  const copy = await callers.accounts.rotateKey(record.key_id, 3600);
  await callers.accounts.setPlan(account, "counted");
  const counters = createCounters(callers.redis.duplicate(), callers.service.namespace, createInTime(5000));
  return {
    checks: {},
    figures: { copy: copy.record.key_id, random: random.below(1), requests, counters: typeof counters },
  };
}

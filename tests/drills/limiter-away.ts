import { setTimeout as pause } from "node:timers/promises";
import { withCallers } from "./callers.ts";
import { type Drill, seconds } from "./drill.ts";
import { until } from "./installation.ts";
import { askInTurn, percentile, served, steady, tally } from "./load.ts";

const PER_SECOND = 200;
const CONNECTIONS = 32;
const WARM_MS = 3000;
const SLOWER_BY_MS = 100;
const BACK_WITHIN_MS = 10_000;

export const limiterAway: Drill = {
  name: "limiter-away",
  about: "Redis stopped under load for nearly five minutes, and started again",
  run(context) {
    const { engines, size, say } = context;
    const { processes, baseline, away } =
      size === "full"
        ? { processes: 4, baseline: 20_000, away: 285_000 }
        : { processes: 2, baseline: 3000, away: 4000 };
    const limit = 100;
    const plans = { roomy: { burst: 1_000_000, quota: 1_000_000 }, tight: { burst: limit, quota: 1_000_000 } };
    return withCallers(context, { processes, plans }, async (callers) => {
      const known = await callers.caller("roomy");
      const tight = await callers.caller("tight");
      const warm = await askInTurn(known, 2 * processes);
      const tightBefore = served(await askInTurn(tight, 2 * processes)).length;
      const load = steady(known, { perSecond: PER_SECOND, connections: CONNECTIONS });
      // The first requests find a process that has just started: they are not a baseline.
      await pause(WARM_MS);
      const first = load.lap();
      await pause(baseline);
      const before = load.lap();
      say(`p99 ${percentile(before, 0.99)} ms; Redis stops for ${seconds(away)} s`);

      const start = performance.now();
      await engines.redis.stop();
      await pause(1000);
      const tightAway = await askInTurn(tight, 2 * limit);
      await pause(away - (performance.now() - start));
      const during = load.lap();
      say(`p99 ${percentile(during, 0.99)} ms, ${JSON.stringify(tally(during))}; Redis starts`);
      await engines.redis.start();
      const back = () => callers.log().split("Redis is back").length - 1;
      const returned = await until("each process has found Redis", BACK_WITHIN_MS, async () => back() >= processes);
      await pause(2000);
      const after = await load.stop();
      const all = [...warm, ...first, ...before, ...during, ...after];
      const used = await callers.monthUsed(known.account);
      const tightUsed = await callers.monthUsed(tight.account);
      const tightServed = tightBefore + served(tightAway).length;
      say(
        `${served(all).length} served, ${used} charged; of the tight plan ${tightServed} served, ${tightUsed} charged`,
      );
      return {
        checks: {
          "known keys get no 5xx": served(all).length === all.length,
          "p99 at most 100 ms above the baseline": percentile(during, 0.99) <= percentile(before, 0.99) + SLOWER_BY_MS,
          "the limits of the processes hold": tightServed <= limit && served(tightAway).length > 0,
          "callers over the limit get 429": tightAway.every(({ status }) => status === 200 || status === 429),
          // What was on the wire when Redis stopped may have been counted or not, and is not counted again.
          "counters are whole after":
            used <= served(all).length && served(all).length - used <= CONNECTIONS && tightUsed === tightServed,
        },
        figures: {
          processes,
          per_second: PER_SECOND,
          away_seconds: seconds(away),
          before_p99_ms: percentile(before, 0.99),
          away_p99_ms: percentile(during, 0.99),
          after_p99_ms: percentile(after, 0.99),
          answers: tally(all),
          charged: used,
          tight_limit: limit,
          tight_served: tightServed,
          tight_charged: tightUsed,
          back_after_ms: returned,
        },
      };
    });
  },
};

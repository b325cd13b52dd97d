import { setTimeout as pause } from "node:timers/promises";
import { withCallers } from "./callers.ts";
import type { Drill } from "./drill.ts";
import { type Answer, askInTurn, served, steady, tally } from "./load.ts";

const WITHIN_MS = 1000;

export const revocation: Drill = {
  name: "revocation",
  about: "keys revoked and accounts suspended under load; the last request that is still let in is looked for",
  run(context) {
    const { size, say } = context;
    const { processes, perSecond, rounds } =
      size === "full" ? { processes: 4, perSecond: 500, rounds: 6 } : { processes: 2, perSecond: 200, rounds: 2 };
    const plans = { roomy: { burst: 1_000_000, quota: 1_000_000 } };
    // Each request from another address, for an address that is refused too often gets no answer about keys at all.
    const env = { TRANCHE_TRUSTED_PROXIES: "1" };
    const address = () => `10.${context.random.below(256)}.${context.random.below(256)}.${context.random.below(256)}`;
    return withCallers(context, { processes, plans, env }, async (callers) => {
      const lastLetIn: number[] = [];
      const took: number[] = [];
      const [before, after]: [Answer[], Answer[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        const caller = { ...(await callers.caller("roomy")), address };
        await askInTurn(caller, 2 * processes);
        const load = steady(caller, { perSecond, connections: 64 });
        await pause(2000);
        const start = performance.now();
        await (round % 2 === 0
          ? callers.accounts.revokeKey(caller.record.key_id)
          : callers.accounts.suspend(caller.account));
        const done = performance.now();
        await pause(2 * WITHIN_MS);
        const answers = [...(await load.stop()), ...(await askInTurn(caller, 2 * processes))];
        const last = Math.max(0, ...served(answers).map(({ sent }) => sent - start));
        before.push(...answers.filter(({ at, ms }) => at + ms < start));
        after.push(...answers.filter(({ sent }) => sent > done + WITHIN_MS));
        lastLetIn.push(Math.round(last));
        took.push(Math.round(done - start));
        say(`the last was let in ${lastLetIn.at(-1)} ms after; the command took ${took.at(-1)} ms`);
      }
      return {
        checks: {
          "let in before": before.length > 0 && served(before).length === before.length,
          "refused everywhere a second after":
            after.length > 0 && after.every(({ status }) => status === 401 || status === 503),
          "the last is let in within a second": lastLetIn.every((ms, n) => ms <= took[n]! + WITHIN_MS),
        },
        figures: {
          processes,
          per_second: perSecond,
          rounds,
          last_let_in_ms: lastLetIn,
          command_took_ms: took,
          before: tally(before),
          after: tally(after),
          redis_seemed_away: callers.log().split("Redis is away").length - 1,
        },
      };
    });
  },
};

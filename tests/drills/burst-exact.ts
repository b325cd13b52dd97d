import { setTimeout as pause } from "node:timers/promises";
import { withCallers } from "./callers.ts";
import type { Drill } from "./drill.ts";
import { type Answer, flood, served, tally } from "./load.ts";

const SPAN_MS = 60_000;

export const burstExact: Drill = {
  name: "burst-exact",
  about: "many clients of one account at once, over several API processes, and again when the burst begins to open",
  run(context) {
    const { size, say } = context;
    const { processes, clients, requests, limit, again } =
      size === "full"
        ? { processes: 4, clients: 200, requests: 20_000, limit: 1000, again: 12 }
        : { processes: 2, clients: 100, requests: 2000, limit: 100, again: 0 };
    return withCallers(
      context,
      { processes, plans: { tight: { burst: limit, quota: 1_000_000 } } },
      async (callers) => {
        const caller = await callers.caller("tight");
        const start = performance.now();
        const answers = await flood(caller, clients, requests);
        const took = performance.now() - start;
        say(`${requests} requests in ${Math.round(took)} ms: ${JSON.stringify(tally(answers))}`);
        const first = served(answers).filter(({ at, ms }) => at + ms - start <= SPAN_MS).length;

        // A second of requests every two seconds or so, while what was let in first leaves the span.
        if (again > 0) {
          say("waiting until the burst is about to open");
          await pause(Math.max(0, start + SPAN_MS - 5000 - performance.now()));
          for (let n = 0; n < again; n++) {
            answers.push(...(await flood(caller, clients, requests / 20)));
            await pause(1000);
          }
        }
        const most = mostInAnySpan(served(answers));
        const other = answers.filter(({ status }) => status !== 200 && status !== 429);
        return {
          checks: {
            "exactly the limit in the first 60 seconds": first === limit,
            "no more than the limit in any 60 seconds": most <= limit,
            "nothing but 200 and 429": other.length === 0,
            "it opens again": again === 0 || served(answers).length > limit,
          },
          figures: {
            processes,
            clients,
            limit,
            requests: answers.length,
            first_60_seconds: first,
            most_in_any_60_seconds: most,
            answers: tally(answers),
            per_second: Math.round((1000 * requests) / took),
          },
        };
      },
    );
  },
};

/** How many were surely let in within 60 seconds, wherever those begin: sent after their begin and answered before their end. */
function mostInAnySpan(admitted: readonly Answer[]): number {
  const sorted = admitted.toSorted((a, b) => a.at - b.at);
  const ends = sorted.map(({ at, ms }) => at + ms);
  return Math.max(0, ...sorted.map(({ at }, n) => ends.slice(n).filter((end) => end - at <= SPAN_MS).length));
}

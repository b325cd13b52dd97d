import { setTimeout as pause } from "node:timers/promises";
import { withCallers } from "./callers.ts";
import { type Drill, seconds } from "./drill.ts";
import { until } from "./installation.ts";
import { type Answer, askInTurn, percentile, served, steady, tally } from "./load.ts";

const REPLACED_WITHIN_MS = 180_000;

export const rollingRestart: Drill = {
  name: "rolling-restart",
  about: "all processes of the API replaced one by one under load, by SIGHUP",
  run(context) {
    const { size, say } = context;
    const { processes, perSecond, restarts } =
      size === "full" ? { processes: 4, perSecond: 200, restarts: 2 } : { processes: 2, perSecond: 100, restarts: 1 };
    const plans = { roomy: { burst: 1_000_000, quota: 1_000_000 } };
    return withCallers(context, { processes, plans }, async (callers) => {
      const caller = await callers.caller("roomy");
      const logged = (text: string) => callers.log().split(text).length - 1;
      const load = steady(caller, { perSecond, connections: 32 });
      // Beside kept connections new ones, which reach the process that listens at that moment.
      const fresh: Answer[] = [];
      let running = true;
      const asking = (async () => {
        while (running) {
          fresh.push(...(await askInTurn(caller, 1)));
          await pause(20);
        }
      })();
      await pause(1000);
      const start = performance.now();
      for (let restart = 1; restart <= restarts; restart++) {
        callers.api.kill("SIGHUP");
        await until("all processes are replaced", REPLACED_WITHIN_MS, async () => logged("were replaced") >= restart);
        say(`restart ${restart} of ${restarts} done after ${seconds(performance.now() - start)} s`);
      }
      const took = performance.now() - start;
      await pause(1000);
      running = false;
      await asking;
      const answers = [...(await load.stop()), ...fresh];
      const started = logged("an API process listens");
      return {
        checks: {
          "no request failed": served(answers).length === answers.length,
          "every process was replaced": started === processes * (1 + restarts),
          "none died": logged("a process died") === 0,
        },
        figures: {
          processes,
          restarts,
          per_second: perSecond,
          restart_seconds: seconds(took / restarts),
          requests: answers.length,
          over_new_connections: fresh.length,
          failed_requests: answers.length - served(answers).length,
          answers: tally(answers),
          p99_ms: percentile(answers, 0.99),
        },
      };
    });
  },
};

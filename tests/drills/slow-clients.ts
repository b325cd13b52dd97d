import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { withCallers } from "./callers.ts";
import { type Drill, seconds } from "./drill.ts";
import { type Answer, askInTurn, percentile, served, steady, tally } from "./load.ts";

const BYTE_EVERY_MS = 1000;
const CLOSED_WITHIN_MS = 15_000;

export const slowClients: Drill = {
  name: "slow-clients",
  about: "hundreds of sockets that send a byte per second, of a header or of a body, beside callers that do not",
  run(context) {
    const { size, say } = context;
    const { processes, sockets, rounds, calm, perSecond } =
      size === "full"
        ? { processes: 2, sockets: 500, rounds: 3, calm: 15_000, perSecond: 100 }
        : { processes: 2, sockets: 200, rounds: 1, calm: 4000, perSecond: 100 };
    const plans = { roomy: { burst: 1_000_000, quota: 1_000_000 } };
    return withCallers(context, { processes, plans }, async (callers) => {
      const caller = await callers.caller("roomy");
      await askInTurn(caller, 4 * processes);
      const load = steady(caller, { perSecond, connections: 16 });
      await pause(calm / 3);
      load.lap();
      // By turns, so that what else the machine does meets both.
      const [baseline, beside]: [Answer[], Answer[]] = [[], []];
      const lifetimes: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await pause(calm);
        baseline.push(...load.lap());
        lifetimes.push(...(await dribblers(caller.origin, sockets)));
        beside.push(...load.lap());
        say(`all ${sockets} closed, the last after ${seconds(Math.max(...lifetimes))} s`);
      }
      const rest = await load.stop();
      const [p99, p99Beside] = [percentile(baseline, 0.99), percentile(beside, 0.99)];
      const answers = [...baseline, ...beside, ...rest];
      return {
        checks: {
          "all are closed within 15 seconds": lifetimes.every((ms) => ms <= CLOSED_WITHIN_MS),
          "p99 of the others below twice the baseline": p99Beside < 2 * p99,
          "all others are served": served(answers).length === answers.length,
        },
        figures: {
          sockets,
          rounds,
          per_second: perSecond,
          closed_after_seconds: { first: seconds(Math.min(...lifetimes)), last: seconds(Math.max(...lifetimes)) },
          baseline_ms: { p50: percentile(baseline, 0.5), p99 },
          beside_ms: { p50: percentile(beside, 0.5), p99: p99Beside },
          answers: tally(answers),
        },
      };
    });
  },
};

/** They come within a second, so that their bytes do not all come at once. Resolves when all are closed, with how long each lived. */
async function dribblers(origin: string, sockets: number): Promise<number[]> {
  const all: Promise<number>[] = [];
  for (let n = 0; n < sockets; n++) {
    all.push(dribble(origin, n % 2 === 0 ? "header" : "body"));
    await pause(BYTE_EVERY_MS / sockets);
  }
  return Promise.all(all);
}

const HEAD = "GET /api/v1/funding HTTP/1.1\r\nHost: 127.0.0.1\r\n";

/** Sends a request that never comes to its end, a byte a second from `part` on. Resolves when it is closed: after how many ms. */
function dribble(origin: string, part: "header" | "body"): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const start = performance.now();
    const socket: Socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.resume();
    socket.write(part === "header" ? HEAD : `${HEAD}Content-Length: 100000\r\n\r\n`);
    const timer = setInterval(() => socket.write("x"), BYTE_EVERY_MS);
    const giveUp = setTimeout(() => socket.destroy(), 4 * CLOSED_WITHIN_MS);
    socket.on("close", () => {
      clearInterval(timer);
      clearTimeout(giveUp);
      resolve(performance.now() - start);
    });
  });
}

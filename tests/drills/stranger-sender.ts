import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { Pool } from "undici";
import { createRandom } from "./random.ts";
import { STRANGER_REQUESTS } from "./stranger-requests.ts";

/** How many were sent, and those that were not answered as they should be: kind of request and answer. */
export type Sent = { sent: number; wrong: string[] };

type Order = { forMs: number; perSecond: number };

const CONNECTIONS = 32;

/**
 * Sends requests of strangers in a thread of its own, so that sending them takes no time of those who measure. Half of them come from
 * a few addresses, which soon have sent too many; half of them from others each time.
 */
export function createStrangers(origin: string, seed: number) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { origin, seed } });
  return {
    async send(order: Order): Promise<Sent> {
      const done = once(worker, "message") as Promise<[Sent]>;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
      worker.postMessage(order);
      return (await done)[0];
    },
    close: () => worker.terminate(),
  };
}

if (!isMainThread && parentPort) {
  const { origin, seed } = workerData as { origin: string; seed: number };
  const port = parentPort;
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const random = createRandom(seed);
  const kinds = Object.entries(STRANGER_REQUESTS);
  let sent = 0;

  const sendOne = async (wrong: string[]): Promise<void> => {
    const [kind, make] = kinds[sent++ % kinds.length]!;
    const { method = "GET", path, headers, answers } = make();
    const far = [1, 2, 3].map(() => random.below(256));
    const address = random.below(2) ? `10.${far.join(".")}` : `192.0.2.${random.below(4)}`;
    try {
      const { statusCode, body } = await pool.request({
        method,
        path,
        headers: { ...headers, "x-forwarded-for": address },
      });
      await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      if (!answers.includes(statusCode)) wrong.push(`${kind}: ${statusCode}`);
    } catch (error) {
      wrong.push(`${kind}: ${(error as Error).message}`);
    }
  };

  const sendAll = async ({ forMs, perSecond }: Order): Promise<void> => {
    const wrong: string[] = [];
    const all: Promise<void>[] = [];
    const start = performance.now();
    for (let passed = 0; passed < forMs; passed = performance.now() - start) {
      const due = Math.floor((passed / 1000) * perSecond);
      while (all.length < due) all.push(sendOne(wrong));
      await pause(2);
    }
    await Promise.all(all);
    port.postMessage({ sent: all.length, wrong } satisfies Sent);
  };
  port.on("message", (order: Order) => void sendAll(order));
}

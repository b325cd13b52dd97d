import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@tranche/shared/process/logger";

/** A process that ends sooner than this after its start has a fault that a restart does not repair. */
const SOUND_AFTER_MS = 5000;
const CLOSE_WITHIN_MS = 15_000;

type Supervision = {
  /** The URL that the processes listen on. */
  address: string;
  /** Replaces all processes, one after another: the new one listens before the old one is asked to end. */
  restart: () => Promise<void>;
  /** Sends a message to all processes. */
  send: (message: string) => void;
  /** Asks all processes to end and waits for them. */
  close: () => Promise<void>;
};

/**
 * Runs `processes` copies of this program behind one port and keeps them running: one that dies is replaced. Resolves when all
 * of them listen; rejects when one can't start. Only the first process of a cluster may call it.
 */
export async function supervise(processes: number, log: Logger): Promise<Supervision> {
  let closing = false;

  const start = async (): Promise<{ address: string; port: number }> => {
    const worker = cluster.fork();
    const startedAt = Date.now();
    const listening = once(worker, "listening").then(([at]: { address: string; port: number }[]) => at);
    const ended = once(worker, "exit").then(() => undefined);
    void ended.then(async () => {
      if (closing || worker.exitedAfterDisconnect) return;
      log.error({ worker: worker.process.pid }, "a process died; starting another");
      if (Date.now() - startedAt < SOUND_AFTER_MS) await pause(SOUND_AFTER_MS);
      if (!closing)
        await start().catch((error: Error) => log.error({ reason: error.message }, "the new process did not start"));
    });
    const at = await Promise.race([listening, ended]);
    if (!at) throw new Error("a process ended before it listened; its own log says why");
    return at;
  };

  const end = async (worker: Worker): Promise<void> => {
    if (worker.isDead()) return;
    const ended = once(worker, "exit");
    // Marks the end as intended, so that no other process is started in its place.
    worker.exitedAfterDisconnect = true;
    worker.process.kill("SIGTERM");
    const timer = setTimeout(() => worker.process.kill("SIGKILL"), CLOSE_WITHIN_MS);
    await ended;
    clearTimeout(timer);
  };
  const all = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

  const [at] = await Promise.all(Array.from({ length: processes }, start));
  return {
    address: `http://${at!.address}:${at!.port}`,
    async restart() {
      for (const old of all()) {
        await start();
        await end(old);
      }
      log.info({ processes }, "all processes were replaced");
    },
    send(message) {
      for (const worker of all()) if (worker.isConnected()) worker.send(message);
    },
    async close() {
      closing = true;
      await Promise.all(all().map(end));
    },
  };
}

import { logTail } from "./errand.ts";
import type { Ended, GuardedProcess } from "./guard.ts";
import { type Probe, untilServing } from "./probe.ts";
import type { Surroundings } from "./way.ts";

const TAIL_LINES = 25;

/**
 * Starts an engine and waits until it serves, as long as its process lives: a busy machine may need minutes for it. Rejects with the
 * end of its log when the process ends. The result has a promise that
 * resolves, with such a text too, when the engine ends later though nobody asked it to.
 */
export async function boot(
  name: string,
  what: GuardedProcess,
  probe: Probe,
  here: Surroundings,
): Promise<{ failed: Promise<string> }> {
  const running = await here.guardian.run(what);
  const ended = running.ended.then(howItEnded);
  const text = (reason: string): string => `${reason}\nThe end of ${what.output}:\n${logTail(what.output, TAIL_LINES)}`;
  try {
    await untilServing(probe, {
      waiting: (reason, seconds) => here.log(`waiting for ${name} (${seconds} s): ${reason}`),
      ended: ended.then((how) => `it ended ${how}`),
    });
  } catch (error) {
    throw new Error(text(`${name} did not start: ${(error as Error).message}`), { cause: error });
  }
  return { failed: ended.then((how) => text(`${name} ended unexpectedly (${how}).`)) };
}

/** In words: `with code 1`, `by SIGKILL`. */
export function howItEnded({ code, signal, error }: Ended): string {
  return error ?? (signal ? `by ${signal}` : `with code ${code}`);
}

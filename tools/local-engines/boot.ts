import { logTail } from "./log-tail.ts";
import type { Ended, ProcessSpec } from "./reaper.ts";
import { type Probe, untilServing } from "./probe.ts";
import type { SourceContext } from "./source.ts";

const TAIL_LINES = 25;

/**
 * Starts an engine and waits until it serves, as long as its process lives: a busy machine may need minutes for it. Rejects with the
 * end of its log when the process ends. The result has a promise that
 * resolves, with such a text too, when the engine ends later though nobody asked it to.
 */
export async function boot(
  name: string,
  what: ProcessSpec,
  probe: Probe,
  context: SourceContext,
): Promise<{ failed: Promise<string> }> {
  const running = await context.reaper.run(what);
  const ended = running.ended.then(howItEnded);
  const text = (reason: string): string => `${reason}\nThe end of ${what.output}:\n${logTail(what.output, TAIL_LINES)}`;
  try {
    await untilServing(probe, {
      waiting: (reason, seconds) =>
        context.log(`${name} is still starting (${seconds} s: ${reason}); its log is ${what.output}`),
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

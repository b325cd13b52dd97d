import type { ProcessSpec, Reaper } from "./reaper.ts";
import { endProcess } from "./teardown.ts";

const GRACE_MS = 5_000;

/**
 * Runs a command that may take long to its end, owned by the reaper: it ends with this process.
 * Returns why it failed; undefined when it did not.
 */
export async function runToEnd(
  reaper: Reaper,
  what: Omit<ProcessSpec, "graceMs">,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  let late = false;
  try {
    const running = await reaper.run({ ...what, graceMs: GRACE_MS });
    const timer = Number.isFinite(limitMs)
      ? setTimeout(() => {
          late = true;
          void endProcess(running.pid, GRACE_MS);
        }, limitMs)
      : undefined;
    const { code, signal, error } = await running.ended;
    clearTimeout(timer);
    if (late) return `no end within ${limitMs / 1000} s`;
    return code === 0 ? undefined : (error ?? signal ?? `exit code ${code}`);
  } catch (error) {
    return (error as Error).message;
  }
}

import { readFileSync } from "node:fs";
import type { GuardedProcess, Guardian } from "./guard.ts";
import { endProcess } from "./unwind.ts";

const GRACE_MS = 5_000;

/**
 * Runs a command that may take long to its end, owned by the guardian: it does not go on when this process is gone.
 * Returns why it failed; undefined when it did not.
 */
export async function errand(
  guardian: Guardian,
  what: Omit<GuardedProcess, "graceMs">,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  let late = false;
  try {
    const running = await guardian.run({ ...what, graceMs: GRACE_MS });
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

/** The last lines of a log file that say something, indented; for messages. */
export function logTail(file: string, lines: number): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return `  (cannot read ${file})`;
  }
  const last = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-lines);
  return last.map((line) => `  ${line}`).join("\n") || "  (it is empty)";
}

import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";

const EVERY_MS = 500;

/**
 * Calls `gone` when the npm that runs this script is killed: it cannot pass a `kill -9` on. Does nothing outside npm, where a
 * process may well outlive the shell it was started from.
 */
export function watchNpm(env: NodeJS.ProcessEnv, gone: () => void): void {
  if (!env["npm_lifecycle_event"]) return;
  const parent = describe(process.ppid);
  // npm runs scripts through a shell, which some systems keep between the two.
  const watched = parent && /(^|\/)-?\w*sh$/.test(parent.name) ? [process.ppid, parent.parent] : [process.ppid];
  const timer = setInterval(() => {
    if (process.ppid === watched[0] && watched.every(exists)) return;
    clearInterval(timer);
    gone();
  }, EVERY_MS);
  timer.unref();
}

function describe(pid: number): { name: string; parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const close = stat.lastIndexOf(")");
    return { name: stat.slice(stat.indexOf("(") + 1, close), parent: Number(stat.slice(close + 4).split(" ")[0]) };
  } catch {
    // No /proc, as on macOS.
  }
  try {
    const [parent, ...name] = execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" })
      .trim()
      .split(/\s+/);
    return { name: name.join(" "), parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

import { spawnSync } from "node:child_process";

/** Whether this machine has python3. Without it, the reason why `what` is skipped is printed. */
export function hasPython(what: string): boolean {
  const found = spawnSync("python3", ["--version"]).status === 0;
  if (!found) console.log(`skipped: ${what}: there is no python3`);
  return found;
}

import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";

/** A process, and when it was born: process ids are given out again. */
export type ProcessIdentity = { pid: number; born: string };

export type Holder = ProcessIdentity & { processes: ProcessIdentity[] };

/** When the process with that id was born, in the system's own words; undefined when there is none. */
export function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold blanks; the state and 18 more fields are between it and the start time.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? undefined : fields[18];
  } catch {
    if (process.platform === "linux") return undefined;
  }
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}

export function isAlive(identity: ProcessIdentity): boolean {
  return startTime(identity.pid) === identity.born;
}

/** Takes a lock file in the name of process `pid`. Returns its holder, if that is alive; a dead holder's is taken over. */
export function takeLock(file: string, pid: number): { held: Holder } | { orphans: ProcessIdentity[] } {
  const orphans: ProcessIdentity[] = [];
  for (;;) {
    try {
      writeFileSync(file, holderText(pid, []), { flag: "wx" });
      return { orphans };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const held = readHolder(file);
    if (held && isAlive(held)) return { held };
    orphans.push(...(held?.processes ?? []).filter(isAlive));
    rmSync(file, { force: true });
  }
}

/** Writes into a lock that is held which processes live under it, so that the process that takes it over can end them. */
export function noteProcesses(file: string, pid: number, processes: ProcessIdentity[]): void {
  writeFileSync(file, holderText(pid, processes));
}

function holderText(pid: number, processes: ProcessIdentity[]): string {
  return `${JSON.stringify({ pid, born: startTime(pid) ?? "", processes } satisfies Holder)}\n`;
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

import { type ChildProcess, execFile } from "node:child_process";
import { promisify } from "node:util";

/** Resident memory of a process, in MB; 0 when it does not run. */
export async function megabytesOf(child: ChildProcess | undefined): Promise<number> {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return 0;
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(child.pid)]).catch(() => ({
    stdout: "0",
  }));
  return Math.round(Number(stdout) / 1024);
}

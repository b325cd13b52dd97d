import { execFile } from "node:child_process";

type CommandOptions = {
  timeoutMs: number;
  cwd?: string;
  env?: NodeJS.ProcessEnv | undefined;
  uid?: number | undefined;
  gid?: number | undefined;
};

type CommandResult = { ok: boolean; output: string; errors: string };

/** Runs a command to its end. Never throws: a missing command, a time-out and an exit code other than 0 are all `ok: false`. */
export function runCommand(command: string, args: string[], options: CommandOptions): Promise<CommandResult> {
  return new Promise((resolve) => {
    const { timeoutMs, ...rest } = options;
    execFile(command, args, { ...rest, timeout: timeoutMs, maxBuffer: 16 << 20 }, (error, output, errors) => {
      const reason = error?.killed ? `no end within ${timeoutMs / 1000} s` : (error?.message ?? "");
      resolve({ ok: error === null, output, errors: errors.trim() || reason });
    });
  });
}

/** The last line of an error output that says something. */
export function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}

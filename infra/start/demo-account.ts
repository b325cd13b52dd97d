import { join } from "node:path";
import { lastLine } from "../../tools/local-engines/command.ts";
import type { Reaper } from "../../tools/local-engines/reaper.ts";

type DemoAccount = { key: string; plan: string; sign_in_url: string };

export async function demoAccount(
  reaper: Reaper,
  project: string,
  keyFile: string,
  env: NodeJS.ProcessEnv,
): Promise<DemoAccount> {
  const args = [join(project, "apps/ops/main.ts"), "demo-account", "--key-file", keyFile, "--json"];
  const what = { command: process.execPath, args, env, cwd: project, output: "capture" as const, graceMs: 1_000 };
  const { code, error, output = "", errors = "" } = await (await reaper.run(what)).ended;
  if (code !== 0)
    throw new Error(`No demo account could be made: ${lastLine(errors) || (error ?? `exit code ${code}`)}`);
  return JSON.parse(output) as DemoAccount;
}

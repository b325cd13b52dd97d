import { seconds } from "./drill.ts";
import type { Installation } from "./installation.ts";

/** Runs `ops` as a process, with `--json`; throws when it fails. */
export async function ops<T>({ service }: Installation, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await service.spawnOps([...args, "--json"]);
  if (code !== 0) throw new Error(`ops ${args.join(" ")} ended with ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as T;
}

/** How long work takes, in seconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = Date.now();
  await work();
  return seconds(Date.now() - start);
}

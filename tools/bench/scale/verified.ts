import { join } from "node:path";
import type { Environment } from "../environment/environment.ts";

/** `ops verify`, from its start to its end. Throws when a document differs. @returns documents per second */
export async function verified({ project, reaper, env }: Environment): Promise<number> {
  const begun = performance.now();
  const what = {
    command: process.execPath,
    args: [join(project, "apps/ops/main.ts"), "verify", "--json"],
    env,
    cwd: project,
    output: "capture",
    graceMs: 1000,
  };
  const { code, output = "", errors = "" } = await (await reaper.run(what)).ended;
  if (code !== 0) throw new Error(`ops verify: ${code} ${output}${errors}`);
  const { compared } = JSON.parse(output) as { compared: number };
  return compared / ((performance.now() - begun) / 1000);
}

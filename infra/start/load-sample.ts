import { join } from "node:path";
import type { Client } from "@elastic/elasticsearch";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { pathHash } from "@tranche/shared/process/home";
import type { Settings } from "@tranche/shared/process/settings";
import type { Engines } from "../../tools/local-engines/engines.ts";
import { runToEnd } from "../../tools/local-engines/one-off-command.ts";
import type { Reaper } from "../../tools/local-engines/reaper.ts";
import { readHomeState, sampleStep, writeHomeState } from "./sample.ts";
import { withClient } from "./with-client.ts";

/** Returns why the sample is not complete, undefined when it is. An incomplete one can be used all the same. */
export async function loadSample(
  files: readonly string[],
  parts: {
    reaper: Reaper;
    project: string;
    home: string;
    engines: Engines;
    /** Whether the engines were given and not found or started. */
    given: boolean;
    settings: Settings;
    env: NodeJS.ProcessEnv;
    say: (line: string) => void;
  },
): Promise<string | undefined> {
  const { reaper, project, home, engines, given, settings, env, say } = parts;
  const store = given ? `given-${pathHash(engines.elasticsearchUrl)}` : engines.origin;
  const state = readHomeState(home);
  const companies = await withClient(engines, settings, countCompanies);
  const next = sampleStep(files, state, store, companies, given);
  if (next.step === "refuse") throw new Error(next.reason);
  if (next.step === "keep") return undefined;

  const stores = state?.stores ?? {};
  const before = companies > 0 ? (stores[store] ?? []) : [];
  writeHomeState(home, { sample: true, stores: { ...stores, [store]: before } });
  say(stores[store] ? "loading what is missing of the sample" : "loading the sample (once)");
  const args = [join(project, "apps/ops/main.ts"), "ingest", ...next.files, "--wait"];
  const problem = await runToEnd(reaper, { command: process.execPath, args, env, cwd: project, output: "inherit" });
  if (problem) return `The sample could not be loaded completely (${problem}, see above). The next start tries again.`;
  writeHomeState(home, { sample: true, stores: { ...stores, [store]: [...before, ...next.files] } });
  return undefined;
}

const countCompanies = (client: Client, names: IndexNames): Promise<number> =>
  client.count({ index: names.record("company"), ignore_unavailable: true }).then(({ count }) => count);

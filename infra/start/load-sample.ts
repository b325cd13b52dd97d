import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import type { Client } from "@elastic/elasticsearch";
import { RECORD_TYPES } from "@tranche/shared/domain/records/record";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { pathHash } from "@tranche/shared/process/home";
import type { Settings } from "@tranche/shared/process/settings";
import type { Engines } from "../../tools/local-engines/engines.ts";
import { logTail } from "../../tools/local-engines/log-tail.ts";
import { runToEnd } from "../../tools/local-engines/one-off-command.ts";
import type { Reaper } from "../../tools/local-engines/reaper.ts";
import type { Bar } from "./bar.ts";
import { readHomeState, type SampleStep, sampleStep, writeHomeState } from "./sample.ts";
import { withClient } from "./with-client.ts";

const LOOK_EVERY_MS = 1_000;
/** How much of the work is done when all records are stored; then their companies and investors are derived. */
const PART_OF_STORING = 0.75;
const TAIL_LINES = 5;
const NEWLINE = 10;

/** Where a start gets its sample from, and where it puts it. */
export type Loading = {
  files: readonly string[];
  home: string;
  engines: Engines;
  /** Whether the engines were given and not found or started. */
  given: boolean;
  settings: Settings;
};

/** The files to load into these engines. */
export async function nextOfSample({ files, home, engines, given, settings }: Loading): Promise<SampleStep> {
  const companies = await withClient(engines, settings, (client, names) => countRecords(client, names, ["company"]));
  return sampleStep(files, readHomeState(home), storeOf({ engines, given }), companies, given);
}

/**
 * Loads files of the sample, and reports how much of them is stored. Returns why the sample is not complete, undefined when it is. An
 * incomplete one can be used all the same.
 */
export async function loadSample(
  next: Extract<SampleStep, { step: "load" }>,
  loading: Loading,
  { reaper, project, env, bar }: { reaper: Reaper; project: string; env: NodeJS.ProcessEnv; bar: Bar },
): Promise<string | undefined> {
  const { home, engines, settings } = loading;
  const store = storeOf(loading);
  const stores = readHomeState(home)?.stores ?? {};
  writeHomeState(home, { sample: true, stores: { ...stores, [store]: next.loaded } });
  bar.say(stores[store] ? "loading what is missing of the sample" : "loading the sample (once)");
  const output = join(home, "logs", "sample.log");
  writeFileSync(output, "");
  const args = [join(project, "apps/ops/main.ts"), "ingest", ...next.files, "--wait"];
  const ended = runToEnd(reaper, { command: process.execPath, args, env, cwd: project, output });
  await withClient(engines, settings, (client, names) => follow(ended, next.files, bar, { client, names, project }));
  const problem = await ended;
  if (problem) {
    return (
      `The sample could not be loaded completely (${problem}). The next start tries again.\n` +
      `The end of ${output}:\n${logTail(output, TAIL_LINES)}\nThe log of the indexer: ${join(home, "logs", "indexer.log")}`
    );
  }
  writeHomeState(home, { sample: true, stores: { ...stores, [store]: [...next.loaded, ...next.files] } });
  return undefined;
}

/** Reports which part of the files' lines are records, until the load has ended. */
async function follow(
  ended: Promise<unknown>,
  files: readonly string[],
  bar: Bar,
  { client, names, project }: { client: Client; names: IndexNames; project: string },
): Promise<void> {
  let isOver = false;
  const over = ended.then(() => (isOver = true));
  const count = () => countRecords(client, names, RECORD_TYPES);
  const [before, lines] = await Promise.all([count(), linesOf(files.map((file) => join(project, file)))]);
  while (!isOver) {
    // The search engine is busy: a look that fails is a look that is left out.
    await count().then(
      (stored) => bar.at(PART_OF_STORING * Math.min(1, Math.max(0, stored - before) / lines)),
      () => {},
    );
    await Promise.race([sleep(LOOK_EVERY_MS), over]);
  }
}

async function linesOf(files: readonly string[]): Promise<number> {
  let lines = 0;
  for (const file of files) {
    for await (const chunk of createReadStream(file).pipe(createGunzip()) as AsyncIterable<Buffer>) {
      for (const byte of chunk) if (byte === NEWLINE) lines++;
    }
  }
  return lines;
}

const storeOf = ({ engines, given }: Pick<Loading, "engines" | "given">): string =>
  given ? `given-${pathHash(engines.elasticsearchUrl)}` : engines.origin;

const countRecords = (client: Client, names: IndexNames, types: readonly (typeof RECORD_TYPES)[number][]) =>
  client
    .count({ index: types.map((type) => names.record(type)), ignore_unavailable: true, allow_no_indices: true })
    .then(({ count }) => count);

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The day the sample ends: the clock stands there, or no signal would be live. */
export const SAMPLE_NOW = "2013-10-31T12:00:00Z";
export const SAMPLE_FILES = ["data/crunchbase-2013.ndjson.gz", "data/remote-companies.ndjson.gz"];
export const SAMPLE_ATTRIBUTION = [
  "CrunchBase (https://www.crunchbase.com), its export of October 2013, CC BY;",
  "companies with their technologies from remoteintech/remote-jobs, ISC (see data/README.md)",
];

/** What a home remembers: whether it is one with the sample, and how far the sample is in each store it has met. */
export type HomeState = { sample: boolean; stores: Record<string, "loading" | "loaded"> };

const FILE = "sample.json";

export function readHomeState(home: string): HomeState | undefined {
  const file = join(home, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as HomeState) : undefined;
}

/** Written aside and renamed, so that a crash leaves the old state or the new one. */
export function writeHomeState(home: string, state: HomeState): void {
  const file = join(home, FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** Why a home cannot be started with, or without, the sample; undefined when it can. */
export function refuseHome(home: string, state: HomeState | undefined, wantsSample: boolean): string | undefined {
  if (state === undefined || state.sample === wantsSample) return undefined;
  return wantsSample
    ? `${home} was started with --no-sample: its data is yours, and the sample would mix with it. ` +
        "Start with --no-sample again, or set TRANCHE_HOME to another folder."
    : `${home} holds the sample. To start empty, set TRANCHE_HOME to another folder; to see the sample, leave out --no-sample.`;
}

export type SampleStep = { step: "load" } | { step: "keep" } | { step: "refuse"; reason: string };

/**
 * What to do about the sample in a store, `given` if somebody else runs it, that holds `companies` now. Loading again is harmless,
 * so an interrupted load is repeated; but the sample never goes among records that this home did not put there.
 */
export function sampleStep(state: HomeState | undefined, store: string, companies: number, given: boolean): SampleStep {
  const known = state?.stores[store];
  if (known === "loaded" && companies > 0) return { step: "keep" };
  if (given && known === undefined && companies > 0) {
    const reason =
      `The Elasticsearch of ELASTICSEARCH_URL holds ${companies} companies that this home did not load, so the sample is not ` +
      "put among them. Start with --no-sample (and a TRANCHE_HOME of its own), or set TRANCHE_NAMESPACE to a free name.";
    return { step: "refuse", reason };
  }
  return { step: "load" };
}

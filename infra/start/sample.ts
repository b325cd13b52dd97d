import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatProblem, INSTALLATION_FORMAT } from "@tranche/shared/engines/search/installation-format";

/** The last day of the sample; on a later one, its signals would have expired. */
export const SAMPLE_NOW = "2013-10-31T12:00:00Z";
export const SHOWCASE_FILE = "data/showcase.ndjson.gz";
const REAL_FILES = [
  "data/crunchbase-2013.ndjson.gz",
  "data/crunchbase-2013-acquisitions.ndjson.gz",
  "data/remote-companies.ndjson.gz",
];
const ATTRIBUTION = [
  "real rounds, companies and acquisitions from CrunchBase (https://www.crunchbase.com), its export of October 2013,",
  "CC BY, and companies with their technologies from remoteintech/remote-jobs, ISC (see data/README.md)",
];
const SHOWCASE_NOTE =
  "The showcase is fictional: 300 companies and 24 investors with ids `co-showcase-…` and `inv-showcase-…`";

/** The data that a start loads: nothing, the real records alone, or these with the fictional showcase. */
export type SampleChoice = "none" | "real" | "showcase";

export function sampleFiles(choice: SampleChoice): string[] {
  return choice === "none" ? [] : [...REAL_FILES, ...(choice === "showcase" ? [SHOWCASE_FILE] : [])];
}

/** Where the sample's records come from, in lines for people. */
export function sampleAttribution(choice: SampleChoice): string[] {
  return [...ATTRIBUTION, ...(choice === "showcase" ? [SHOWCASE_NOTE] : [])];
}

/** The state of a home: its format, whether it has the sample, and which of its files each store has completely. */
export type HomeState = { format: number; sample: boolean; stores: Record<string, string[]> };

const FILE = "sample.json";

export function readHomeState(home: string): HomeState | undefined {
  const file = join(home, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as HomeState) : undefined;
}

/** Written aside and renamed, so that a crash leaves the old state or the new one. */
export function writeHomeState(home: string, state: Omit<HomeState, "format">): void {
  const file = join(home, FILE);
  const written: HomeState = { format: INSTALLATION_FORMAT, ...state };
  writeFileSync(`${file}.new`, `${JSON.stringify(written, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** Why a home cannot be started with this choice; undefined when it can. */
export function refuseHome(home: string, state: HomeState | undefined, choice: SampleChoice): string | undefined {
  if (state === undefined) return undefined;
  const problem = formatProblem(home, state.format);
  if (problem !== undefined) return problem;
  if (!state.sample && choice !== "none")
    return (
      `${home} was started with --no-sample: its data is yours, and the sample would mix with it. ` +
      "Start with --no-sample again, or set TRANCHE_HOME to another folder."
    );
  if (state.sample && choice === "none")
    return `${home} holds the sample. To start empty, set TRANCHE_HOME to another folder; to see the sample, omit --no-sample.`;
  const hasShowcase = Object.values(state.stores).some((files) => files.includes(SHOWCASE_FILE));
  if (hasShowcase && choice === "real")
    return `${home} holds the showcase. To start without it, set TRANCHE_HOME to another folder; to see it, omit --no-showcase.`;
  return undefined;
}

/** `loaded`: the files that the store has already. */
export type SampleStep =
  | { step: "load"; files: string[]; loaded: string[] }
  | { step: "keep" }
  | { step: "refuse"; reason: string };

/**
 * Finds which of these files to load into a store, `given` if somebody else runs it, that holds `companies` now. Loading again is
 * harmless, so an interrupted load is repeated; but the sample never goes among records that this home did not put there.
 */
export function sampleStep(
  files: readonly string[],
  state: HomeState | undefined,
  store: string,
  companies: number,
  given: boolean,
): SampleStep {
  const known = state?.stores[store];
  if (given && known === undefined && companies > 0) {
    const reason =
      `The Elasticsearch of ELASTICSEARCH_URL holds ${companies} companies that this home did not load, so the sample is not ` +
      "put among them. Start with --no-sample (and a TRANCHE_HOME of its own), or set TRANCHE_NAMESPACE to a free name.";
    return { step: "refuse", reason };
  }
  const loaded = companies > 0 ? (known ?? []) : [];
  const missing = files.filter((file) => !loaded.includes(file));
  return missing.length === 0 ? { step: "keep" } : { step: "load", files: missing, loaded };
}

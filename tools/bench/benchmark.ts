import type { Reference } from "./environment/reference.ts";
import type { Environment } from "./environment/environment.ts";

/** The result of one benchmark. */
export type Outcome = {
  /** The figure that the first goal is about. */
  ratio: number;
  /** All measurements, for machines. */
  figures: Record<string, unknown>;
  /** A table for people: headings, then rows. */
  table: { head: string[]; rows: (string | number)[][] };
  /** Each goal, with what came out. */
  goals: Goal[];
};
type Goal = { goal: string; found: string; met: boolean };

export type Options = {
  /** How long each target is measured, about, in seconds. */
  seconds: number;
  /** How long each target works before that, in seconds. */
  warmUpSeconds: number;
  /** Writes CPU profiles of the API, or of the indexer where it is what is measured, to this folder. */
  profile: string | undefined;
  /** Also measures the API without its front cache, as one more target. */
  withoutFront: boolean;
  /** Leaves out what writes, and so needs no records. */
  withoutWrites: boolean;
};

/** The share of the speed of the commit before it that a change has to keep. */
const KEPT = 0.97;

/** The goal that this version is about as fast as another commit. */
export const goalAgainst = (what: string, reference: Reference, ratio: number): Goal =>
  goal(`${what} against ${reference.name}`, ratio, { least: KEPT });

export type Benchmark = {
  name: string;
  about: string;
  /** Measures this version and another commit alone, in turns. Without it, the benchmark takes no `--against`. */
  compare?: (environment: Environment, options: Options, reference: Reference) => Promise<Outcome>;
  /** Whether `compare` takes a commit on engines of its own. */
  comparesOwnEngines?: true;
  /** Whether it takes `--without front`. */
  measuresFrontCache?: true;
  run(environment: Environment, options: Options): Promise<Outcome>;
};

/** A benchmark of several sizes, one after the other, the smallest first. */
export type AcrossSizes = {
  name: string;
  about: string;
  /** Whether it takes `--without writes`. */
  alsoReadsOnly?: true;
  across(open: (size: number) => Promise<Environment>, sizes: readonly number[], options: Options): Promise<Outcome>;
};

/** A ratio that has to be at least (or at most) so much. */
export function goal(what: string, found: number, bound: { least: number } | { most: number }): Goal {
  const met = "least" in bound ? found >= bound.least : found <= bound.most;
  const text = "least" in bound ? `at least ${bound.least}` : `at most ${bound.most}`;
  return { goal: `${what} ${text}`, found: found.toFixed(2), met };
}

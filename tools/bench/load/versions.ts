import { type Reference, environmentAt } from "../environment/reference.ts";
import type { Environment } from "../environment/environment.ts";
import { alternating } from "./interleaved.ts";

/** What was found of one version in one of its turns. */
type VersionRun<Found> = { version: string; found: Found };

const THIS_VERSION = "this version";

/** Measures this version and another commit in alternating turns, so many of each; in their order. */
export async function bothVersions<Found>(
  environment: Environment,
  reference: Reference,
  turns: number,
  measure: (version: Environment) => Promise<Found>,
): Promise<VersionRun<Found>[]> {
  const versions = [
    { version: THIS_VERSION, there: environment },
    { version: reference.name, there: environmentAt(environment, reference) },
  ];
  const runs: VersionRun<Found>[] = [];
  for (const { version, there } of alternating(versions, turns)) runs.push({ version, found: await measure(there) });
  return runs;
}

/** How fast this version is, as a part of how fast the other one is. */
export function speedRatio<Found>(runs: readonly VersionRun<Found>[], perSecond: (found: Found) => number): number {
  const sum = (own: boolean) =>
    runs
      .filter(({ version }) => (version === THIS_VERSION) === own)
      .reduce((total, { found }) => total + perSecond(found), 0);
  return sum(true) / sum(false);
}

import type { Snapshot } from "@tranche/shared/domain/records/snapshots";
import { derivedInstance, type SignalInstance } from "@tranche/shared/domain/signals/instance";
import { isAi, technologyGroup, technologyKey } from "@tranche/shared/domain/technologies/technology";
import { dayOf, type Day } from "@tranche/shared/domain/time/day";
import type { CompanyHistory } from "./history.ts";
import { seenUntil } from "./snapshots.ts";

const MODERN_TECHNOLOGIES = 3;
const MODERN_GROUPS = 2;

/** The technologies that make a signal true; empty when it is not. */
type Test = (stack: readonly string[]) => string[];

/**
 * `modern_stack` and `ai_stack` of the stack that counts. Detected on the day from which every snapshot up to the newest has the
 * signal.
 */
export function stackSignals({ stack, snapshots }: CompanyHistory): SignalInstance[] {
  if (stack === null) return [];
  const observed = dayOf(stack.observed_at);
  const found: SignalInstance[] = [];
  for (const [key, test] of [
    ["modern_stack", modern],
    ["ai_stack", ai],
  ] as const) {
    const technologies = test(stack.value);
    if (technologies.length === 0) continue;
    found.push(derivedInstance(key, holdsSince(snapshots, observed, test), { technologies }));
  }
  return found;
}

function holdsSince(snapshots: readonly Snapshot[], observed: Day, test: Test): Day {
  let since = observed;
  for (const seen of seenUntil(snapshots, observed - 1, (snapshot) => snapshot.technologies).toReversed()) {
    if (test(seen.value).length === 0) break;
    since = seen.day;
  }
  return since;
}

/** At least 3 technologies of at least 2 groups of the modern list; two names of one technology are one. */
function modern(stack: readonly string[]): string[] {
  const names = new Map<string, string>();
  const groups = new Set<string>();
  for (const name of stack) {
    const key = technologyKey(name);
    const group = technologyGroup(key);
    if (group === undefined) continue;
    groups.add(group);
    if (!names.has(key)) names.set(key, name);
  }
  return names.size >= MODERN_TECHNOLOGIES && groups.size >= MODERN_GROUPS ? [...names.values()] : [];
}

function ai(stack: readonly string[]): string[] {
  return stack.filter((name) => isAi(technologyKey(name)));
}

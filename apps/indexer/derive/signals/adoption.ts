import type { SignalKey } from "@tranche/shared/domain/signals/catalogue";
import { derivedInstance, type SignalInstance } from "@tranche/shared/domain/signals/instance";
import { technologyKey, usualStack } from "@tranche/shared/domain/technologies/technology";
import type { Day } from "@tranche/shared/domain/time/day";
import type { Snapshot } from "@tranche/shared/domain/records/snapshots";
import { seenUntil } from "./snapshots.ts";

/**
 * `tech_adopted` and `tech_dropped`: one instance for each snapshot day on which technologies appeared or disappeared for good.
 * A technology in the newest snapshot was adopted on the day from which every snapshot has it. A technology that is not in the newest
 * snapshot was dropped on the day from which no snapshot has it. So one that appeared and disappeared again counts as dropped, not as
 * adopted, and vice versa. The first snapshot is not a change. Technologies are compared by key, so another name is not a change either.
 */
export function adoptionSignals(snapshots: readonly Snapshot[], today: Day): SignalInstance[] {
  const stacks = seenUntil(snapshots, today, (snapshot) => snapshot.technologies).map(({ day, value }) => ({
    day,
    names: new Map(usualStack(value).map((name) => [technologyKey(name), name])),
  }));
  const changes = new Map<string, Change>();
  for (const [i, { day, names }] of stacks.entries()) {
    if (i === 0) continue;
    const before = stacks[i - 1]!.names;
    // Only the last change of a technology counts.
    for (const [key, name] of names) if (!before.has(key)) changes.set(key, { signal: "tech_adopted", day, name });
    for (const [key, name] of before) if (!names.has(key)) changes.set(key, { signal: "tech_dropped", day, name });
  }
  const grouped = Map.groupBy(changes.values(), (change) => `${change.signal} ${change.day}`);
  return [...grouped.values()].map((group) => {
    const technologies = group.map((change) => change.name).sort();
    return derivedInstance(group[0]!.signal, group[0]!.day, { technologies });
  });
}

interface Change {
  signal: Extract<SignalKey, "tech_adopted" | "tech_dropped">;
  day: Day;
  name: string;
}

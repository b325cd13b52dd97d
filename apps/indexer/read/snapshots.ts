import type { StoredSnapshot } from "@tranche/shared/records/stored";

/** The snapshots of a company, one per day: the fields of a day's merges replace those of an older upsert of that day. */
export function oneADay(snapshots: readonly StoredSnapshot[]): readonly StoredSnapshot[] {
  if (!snapshots.some((snapshot) => snapshot.seen)) return snapshots;
  return [...Map.groupBy(snapshots, (snapshot) => snapshot.observed_at).values()].map(ofDay);
}

function ofDay(snapshots: readonly StoredSnapshot[]): StoredSnapshot {
  const whole = snapshots.find((snapshot) => !snapshot.seen);
  const day: StoredSnapshot = { ...snapshots[0]!, technologies: null, headcount: null, ...whole };
  const inOrder = snapshots.toSorted((a, b) => a.version - b.version || (a.id < b.id ? -1 : 1));
  for (const { seen = [], version, technologies, headcount } of inOrder) {
    if (whole && version < whole.version) continue;
    if (seen.includes("technologies")) day.technologies = technologies;
    if (seen.includes("headcount")) day.headcount = headcount;
  }
  delete day.seen;
  return day;
}

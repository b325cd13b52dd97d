import type { Outdated } from "./state.ts";

const WHY: Record<Outdated["why"][number], string> = {
  mapping: "its documents lack fields of this version",
  derivation: "its documents follow rules of an earlier version",
  mixed: "a later version has written to it as well",
  newer: "it is of a later version than this program",
};

/** The advice about live indices that do not fit this version, with their names and the reason. */
export function outdatedText(indices: readonly Outdated[]): string {
  const listed = indices.map(({ index, why }) => `\n  ${index}: ${why.map((each) => WHY[each]).join(", ")}`);
  const newer = indices.some(({ why }) => why.includes("newer"));
  const due = newer
    ? "Live indices are of a later version. Indexers of this version take no jobs: update them, or run `ops rollback`."
    : "A rebuild is due, run `ops reindex`; filters by new fields miss documents until then.";
  return due + listed.join("");
}

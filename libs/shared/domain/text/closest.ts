import { distance } from "fastest-levenshtein";

/** The candidate most like `text` (edit distance of at most a third of its length), or undefined when none is near; nothing is near to one or two letters. */
export function closest(text: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.floor(text.length / 3);
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - text.length) >= bestDistance) continue;
    const d = distance(text, candidate);
    if (d < bestDistance) [best, bestDistance] = [candidate, d];
  }
  return best;
}

/** The candidates in the order of their edit distance from `text`, the nearest first. */
export function byDistance(text: string, candidates: readonly string[]): string[] {
  const far = new Map(candidates.map((candidate) => [candidate, distance(text, candidate)]));
  return [...far.keys()].toSorted((a, b) => far.get(a)! - far.get(b)!);
}

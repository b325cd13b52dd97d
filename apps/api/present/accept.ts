/** A media range of an Accept header, with its weight and its place. All parameters but the weight are left out. */
type Range = { range: string; weight: number; place: number };

const QUOTED_TEXT = /"(?:[^"\\]|\\.)*"?/g;

/**
 * The one of `types` that an Accept header prefers (RFC 9110, 12.5.1); undefined when it takes none of them. Only type and weight
 * decide: `application/json; charset=utf-8` is JSON. Of equal weights a whole type precedes a wildcard, and then what comes first in
 * the header, or else in `types`.
 */
export function preferredType<Type extends string>(accept: string, types: readonly Type[]): Type | undefined {
  // A quoted value may contain separators.
  const ranges = accept.replaceAll(QUOTED_TEXT, "").split(",").map(readRange);
  const [best] = types
    .flatMap((type) => matches(type, ranges).slice(0, 1))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || b.precision - a.precision || a.place - b.place);
  return best?.type;
}

function readRange(text: string, place: number): Range {
  const [range = "", ...parameters] = text.toLowerCase().split(";");
  const pairs = parameters.map((parameter) => parameter.split("=").map((part) => part.trim()));
  const weight = Number(pairs.find(([name]) => name === "q")?.[1] ?? 1);
  return { range: range.trim(), weight: Number.isNaN(weight) ? 1 : Math.min(1, weight), place };
}

/** The ranges that match a type, the most precise first, because it decides. Of equal ranges the heavier counts. */
function matches<Type extends string>(type: Type, ranges: readonly Range[]) {
  const wildcards = ["*/*", `${type.split("/")[0]}/*`, type];
  return ranges
    .map(({ range, weight, place }) => ({ type, weight, place, precision: wildcards.indexOf(range) }))
    .filter(({ precision }) => precision >= 0)
    .sort((a, b) => b.precision - a.precision || b.weight - a.weight);
}

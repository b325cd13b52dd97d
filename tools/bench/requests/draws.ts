import type { Random } from "../data/random.ts";

/** Query strings that are all different, from a function that draws one. */
export function* distinct(draw: () => string): Generator<string, never> {
  const seen = new Set<string>();
  for (;;) {
    const query = draw();
    if (seen.has(query)) continue;
    seen.add(query);
    yield query;
  }
}

/** The first `count` of an endless row. */
export function take<T>(count: number, endless: Generator<T, never>): T[] {
  return Array.from({ length: count }, () => endless.next().value);
}

/** Joins the parameters that are there to a query string. */
export function queryString(parameters: Record<string, string | number | undefined>): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value!).replaceAll("%2C", ",")}`)
    .join("&");
}

/** One to `most` different values, drawn by `draw`, as a list. */
export function listOf(random: Random, most: number, draw: () => string): string {
  return [...new Set(Array.from({ length: 1 + random.below(most) }, draw))].join(",");
}

import { type ExploreState, filtersOf } from "../request/explore-state.ts";

const LONGEST = 80;

/** The name of a downloaded file without its ending, such as `funding-de-series-a-2025-06-15`: the list, its filters and the UTC day. */
export function fileName({ list, params }: Pick<ExploreState, "list" | "params">, now: Date): string {
  const values = filtersOf(params).map(([, value]) => value);
  const words = [list, ...values].join(" ").normalize("NFKD").toLowerCase();
  const search = Array.from(words.replace(/\p{M}/gu, "").replace(/[^\p{L}\p{N}]+/gu, "-"))
    .slice(0, LONGEST)
    .join("");
  return `${search.replace(/^-|-$/g, "")}-${now.toISOString().slice(0, "YYYY-MM-DD".length)}`;
}

import { keyOf } from "../text/key.ts";

const SERIES = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].map((letter) => `series_${letter}`);

/** The closed vocabulary of deal types, in the order in which it is shown to people. */
export const DEAL_TYPES: readonly string[] = Object.freeze([
  "pre_seed",
  "seed",
  "angel",
  ...SERIES,
  "series_c_plus",
  "series_unknown",
  "bridge",
  "growth_equity",
  "private_equity",
  "convertible_note",
  "debt_financing",
  "venture_debt",
  "grant",
  "equity_crowdfunding",
  "product_crowdfunding",
  "corporate_round",
  "secondary_market",
  "initial_coin_offering",
  "non_equity_assistance",
  "post_ipo_equity",
  "post_ipo_debt",
  "post_ipo_secondary",
  "undisclosed",
  "other",
]);

/** The labels of sources for a word of the vocabulary. */
const DEAL_TYPE_ALIASES: Readonly<Record<string, string>> = Object.freeze({
  venture: "series_unknown",
  venture_series_unknown: "series_unknown",
  funding_round: "series_unknown",
  growth: "growth_equity",
  seed_fund: "seed",
  crowdfunding: "equity_crowdfunding",
  equity_crowdsale: "equity_crowdfunding",
  post_ipo: "post_ipo_equity",
  debt: "debt_financing",
  loan: "debt_financing",
  unknown: "undisclosed",
  unattributed: "undisclosed",
  "": "undisclosed",
  preseed: "pre_seed",
  seed_angel: "seed",
  pre_series_a: "seed",
  strategic: "corporate_round",
  corporate: "corporate_round",
  ico: "initial_coin_offering",
  convertible_note_issuance: "convertible_note",
  growth_capital: "growth_equity",
  private: "private_equity",
});

/** The stage of a type, from the first money to private equity; types that are not here have none. */
export const STAGES: Readonly<Record<string, number>> = Object.freeze({
  pre_seed: 0,
  seed: 1,
  angel: 1,
  ...Object.fromEntries(SERIES.map((type, index) => [type, index + 2])),
  series_c_plus: 4,
  growth_equity: 12,
  private_equity: 12,
});

/** Types in which a company sells a part of itself, or will. */
export const EQUITY_TYPES: ReadonlySet<string> = new Set([
  ...Object.keys(STAGES),
  "series_unknown",
  "bridge",
  "convertible_note",
  "equity_crowdfunding",
  "corporate_round",
]);

export const DEBT_OR_GRANT_TYPES: ReadonlySet<string> = new Set([
  "debt_financing",
  "venture_debt",
  "post_ipo_debt",
  "grant",
]);

/** An operator's additions: `types` are new words, `aliases` map labels to words. */
type DealTypeAdditions = { types: readonly string[]; aliases: Readonly<Record<string, string>> };

export type DealTypes = {
  /** Every word, the operator's after the built-in ones. */
  words: readonly string[];
  /** The word for a label, or undefined when it fits nothing. `Series A1 round` is series_a. */
  find: (label: string) => string | undefined;
};

/** The vocabulary in force: the built-in one and what an operator's file adds to it. */
export function dealTypes(additions: DealTypeAdditions = { types: [], aliases: {} }): DealTypes {
  const words = [...new Set([...DEAL_TYPES, ...additions.types])];
  const known = new Set(words);
  const aliases = new Map(Object.entries({ ...DEAL_TYPE_ALIASES, ...additions.aliases }));

  const findKey = (key: string): string | undefined => {
    if (known.has(key)) return key;
    const alias = aliases.get(key);
    if (alias !== undefined) return alias;
    const series = /^(series_[a-j])(?:_?\d+|_plus)$/.exec(key)?.[1];
    if (series) return series;
    const shorter = /^(.+)_(?:round|funding)$/.exec(key)?.[1];
    return shorter === undefined ? undefined : findKey(shorter);
  };
  return { words, find: (label) => findKey(keyOf(label.replaceAll("+", " plus")).replaceAll("-", "_")) };
}

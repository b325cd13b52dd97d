import type { Warning } from "@tranche/read-models/parameters/warning";

/** How often one value of a vocabulary occurs; `round_count` is absent where rounds do not have the field. */
export type VocabularyRow = {
  key: string;
  name: string;
  round_count?: number;
  company_count: number;
  signalled_company_count: number;
};

/** The most frequent first, then by key. */
export function byFrequency(rows: readonly VocabularyRow[]): VocabularyRow[] {
  return rows.toSorted((a, b) => b.company_count - a.company_count || (a.key < b.key ? -1 : 1));
}

/** `series_a` as `Series A`, `post_ipo_debt` as `Post-IPO debt`. */
export function dealTypeName(word: string): string {
  const text = word
    .replace(/^(pre|post)_/, "$1-")
    .replaceAll("_", " ")
    .replace(/\bipo\b/, "IPO")
    .replace(/^series ([a-j])\b/, (_, letter: string) => `series ${letter.toUpperCase()}`)
    .replace(/ plus$/, "+");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function truncatedWarning(shown: number): Warning {
  return { code: "list_truncated", message: `Only the ${shown} most frequent values are listed.`, parameter: "" };
}

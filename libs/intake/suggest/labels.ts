import { keyOf } from "@tranche/shared/domain/text/key";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";

/** Labels of rounds in other languages, and what they are in English. The first that fits the whole label counts. */
const LABELS: readonly (readonly [RegExp, string | ((letter: string) => string)])[] = [
  [
    /^(?:serie|seri|seria|série|сер[иі]я|シリーズ|시리즈|раунд|runde|ronda|rodada|tour|round)[ -]?([a-j])$/iu,
    (letter) => `series_${letter}`,
  ],
  [/^([A-J])$/iu, (letter) => `series_${letter}`],
  [/^([a-j])\+{0,2}[- ]?(?:runde|轮|輪|round|серия)$/iu, (letter) => `series_${letter}`],
  [
    /^(?:series|serie|série)[ -]?([a-j])[ -]*(?:ext(?:ension)?\.?|\(ext(?:ension)?\.?\)|prime|bridge)$/iu,
    (letter) => `series_${letter}`,
  ],
  [
    /^pre[- ]?([a-j])(?:轮|輪)?\+?$/iu,
    (letter) => (letter === "a" ? "seed" : `series_${String.fromCharCode(letter.codePointAt(0)! - 1)}`),
  ],
  [/^天使(?:轮|輪)$/u, "angel"],
  [/^[种種]子(?:轮|輪)$|^シード$|^시드$|^tohum$|^seed ?(?:\+{1,2}|vc)$/iu, "seed"],
  [/^pr[ée][- ]?amor[çc]age$|^pré[- ]?seed$|^pre[- ]?semilla$|^pre[- ]?semente$|^предпосев$/iu, "pre_seed"],
  [/^amor[çc]age$|^semilla$|^semente$|^capitale? semilla$|^посев$|^посевной$|^seed[- ]?runde$|^frühphase$/iu, "seed"],
  [/^wandeldarlehen$|^wandelanleihe$|^obligations? convertibles?$|^nota convertible$|^safe$/iu, "convertible_note"],
  [/^zuschuss$|^förderung$|^subvention$|^subvenci[oó]n$|^грант$|^bourse$/iu, "grant"],
  [/^darlehen$|^kredit$|^fremdkapital$|^dette$|^pr[êe]t$|^deuda$|^долг$/iu, "debt_financing"],
  [/^wachstum(?:sfinanzierung)?$|^croissance$|^crecimiento$/iu, "growth_equity"],
  [/^venture[ (-]+round not specified\)?$/iu, "series_unknown"],
  [/^战略(?:投资|融资)$|^strategisch$/iu, "corporate_round"],
];

/** The deal type of a label in another language. */
export function knownLabel(label: string): string | undefined {
  for (const [pattern, type] of LABELS) {
    const found = pattern.exec(label.trim());
    if (found) return typeof type === "string" ? type : type(found[1]!.toLowerCase());
  }
  return undefined;
}

/** The cases of a mapping for the labels that the vocabulary does not have, each once. */
export function labelCases(texts: readonly string[], dealTypes: DealTypes): [string, string][] {
  const cases = new Map<string, [string, string]>();
  for (const text of texts) {
    const type = dealTypes.find(text) === undefined ? knownLabel(text) : undefined;
    if (type !== undefined) cases.set(keyOf(text), [escaped(text), type]);
  }
  return [...cases.values()];
}

/** A text as an expression for itself. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

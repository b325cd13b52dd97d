/** The bands of round amounts, from small to large: each reaches from its lowest amount, inclusive, to that of the next. */
export const AMOUNT_BANDS = Object.freeze({
  under_100k: 0,
  "100k_1m": 100_000,
  "1m_5m": 1_000_000,
  "5m_10m": 5_000_000,
  "10m_50m": 10_000_000,
  "50m_100m": 50_000_000,
  "100m_500m": 100_000_000,
  over_500m: 500_000_000,
});
export type AmountBand = keyof typeof AMOUNT_BANDS;

const DESCENDING = Object.entries(AMOUNT_BANDS).toReversed() as [AmountBand, number][];

/** The band of an amount; null when it is undisclosed. */
export function amountBand(dollars: number | null): AmountBand | null {
  return dollars === null ? null : DESCENDING.find(([, least]) => dollars >= least)![0];
}

/** The lowest and the highest amount of a band, both inclusive, in dollars; the last band has no highest. */
export function amountsOf(band: AmountBand): { least: number; most: number | undefined } {
  const bands = Object.entries(AMOUNT_BANDS);
  const at = bands.findIndex(([name]) => name === band);
  const next = bands[at + 1]?.[1];
  return { least: bands[at]![1], most: next === undefined ? undefined : (100 * next - 1) / 100 };
}

/** The largest double below 2^63. */
const MOST_CENTS = 2 ** 63 - 1024;

/** The tens of a signal score: 0, 10, … 90; 100 belongs to 90. */
export const scoreBand = (score: number): number => Math.min(90, 10 * Math.floor(score / 10));

/**
 * Whole cents. Sums of whole numbers are exact in every order up to 2^53, about 9 × 10^13 dollars. Sums of dollars are not, because
 * most cents have no exact binary fraction. At most what a `long` of Elasticsearch holds.
 */
export function cents(dollars: number): number;
export function cents(dollars: number | null): number | null;
export function cents(dollars: number | null): number | null {
  // A product with 100 would be rounded to the wrong cent from about 10^13 dollars on.
  return dollars === null ? null : Math.min(Number(dollars.toFixed(2).replace(".", "")), MOST_CENTS);
}

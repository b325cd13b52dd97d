const compact = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumSignificantDigits: 3,
});
const exact = new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat("en");
const countries = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** "$12.5M"; a dash for an amount that nobody knows. */
export const money = (dollars: number | null): string => (dollars === null ? "–" : compact.format(dollars));
export const exactMoney = (dollars: number): string => exact.format(dollars);
export const count = (number: number): string => whole.format(number);
/** "1 request", "2,000 requests". */
export const countOf = (number: number, one: string, several = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : several}`;

/** The name of a country by its two letters. Other texts stay as they are. */
export function countryName(code: string): string {
  if (!/^[A-Za-z]{2}$/.test(code)) return code;
  const name = countries.of(code.toUpperCase()) ?? code;
  return name === "Unknown Region" ? code : name;
}

const UNITS: Readonly<Record<string, number>> = {
  "": 0,
  k: 3,
  thousand: 3,
  m: 6,
  mm: 6,
  mn: 6,
  mio: 6,
  million: 6,
  b: 9,
  bn: 9,
  billion: 9,
};
/** Without blanks: digits, in groups of three or not, decimals and a unit. */
const AMOUNT = /^(?:us)?\$?(\d{1,3}(?:[,']\d{3})+|\d*)(?:\.(\d*))?([a-z]*)$/i;
const LONGEST = 40;

/**
 * Reads a number as people write it: `5m`, `1.5 bn`, `$5,000,000`, `40`. The result is written plainly, `5000000`, to the cent;
 * undefined for what is none. A comma that may stand for a decimal point is not guessed at.
 */
export function readAmount(text: string): string | undefined {
  // A blank stands between groups of three digits, or beside them.
  const closed = text
    .trim()
    .replaceAll(/(?<=\d)\s(?=\d{3}(?!\d))/g, ",")
    .replaceAll(/(?<!\d)\s|\s(?!\d)/g, "");
  const [, grouped, decimals = "", unit] = (closed.length <= LONGEST && AMOUNT.exec(closed)) || [];
  const power = UNITS[unit?.toLowerCase() ?? "-"];
  if (grouped === undefined || power === undefined || (grouped === "" && decimals === "")) return undefined;
  const digits = grouped.replace(/\D/g, "");
  // Digits are moved and not multiplied, so that nothing is rounded.
  const whole = (digits + decimals.slice(0, power).padEnd(power, "0")).replace(/^0+(?=\d)/, "");
  const rest = decimals.slice(power);
  if (rest.length > 2) return undefined;
  return Number(rest) === 0 ? whole : `${whole}.${rest}`;
}

/** A plain number with its thousands apart: `5,000,000`. Other texts stay as they are. */
export function shownNumber(text: string): string {
  if (!/^\d{1,30}(?:\.\d{1,10})?$/.test(text)) return text;
  const [whole = "", rest] = text.split(".");
  const groups = Array.from({ length: Math.ceil(whole.length / 3) }, (_, at) =>
    whole.slice(Math.max(0, whole.length - 3 * (at + 1)), whole.length - 3 * at),
  );
  return groups.toReversed().join(",") + (rest === undefined ? "" : `.${rest}`);
}

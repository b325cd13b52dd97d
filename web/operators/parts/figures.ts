const numbers = new Intl.NumberFormat("en");
const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });
const times = new Intl.DateTimeFormat("en-CA", {
  dateStyle: "short",
  timeStyle: "medium",
  hourCycle: "h23",
  timeZone: "UTC",
});
const clocks = new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" });
const UNITS = ["B", "kB", "MB", "GB", "TB"];

export const shownNumber = (number: number): string => numbers.format(number);
export const shownPercent = (share: number): string => percents.format(share);

/** `12.3 GB`. */
export function shownBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${value >= 99.5 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** `45 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function shownDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [
    [86_400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
  ] as const;
  const first = parts.findIndex(([size]) => whole >= size);
  if (first < 0) return "0 s";
  let left = whole;
  return parts
    .slice(first, first + 2)
    .flatMap(([size, unit]) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return count > 0 ? [`${count} ${unit}`] : [];
    })
    .join(" ");
}

/** `2025-06-15 12:00:00` in UTC, of an ISO time. */
export const shownTime = (iso: string): string => times.format(new Date(iso)).replace(",", "");

/** `14:00:00`, in the local time of the browser. */
export const shownClock = (time: Date): string => clocks.format(time);

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${shownNumber(count)} ${count === 1 ? one : many}`;

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const month = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
const minute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const second = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const UNITS = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** A day in UTC: "23 Nov 2026". */
export const shownDay = (time: string | Date): string => day.format(new Date(time));

/** A month `2026-11` as "Nov 2026"; a year stays as it is. */
export const shownMonth = (text: string): string => (/^\d{4}-\d\d$/.test(text) ? month.format(new Date(text)) : text);

/** A day without its year: "23 Nov". */
export const shownDayOfYear = (time: string | Date): string => dayOfYear.format(new Date(time));

/** A time in UTC, to the minute or to the second: "23 Nov 2026, 17:20 UTC". */
export const shownTime = (time: string | Date, to: "minute" | "second" = "minute"): string =>
  `${(to === "minute" ? minute : second).format(new Date(time))} UTC`;

/** A time as far from now as people say it: "3 hours ago", "in 2 days". `now` in ms. */
export function shownDistance(time: string, now = Date.now()): string {
  const seconds = (Date.parse(time) - now) / 1000;
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ["minute", 60];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** A time, in words and exactly: the exact one shows when the pointer rests on it. */
export function When({ time, as = "distance" }: { time: string; as?: "distance" | "day" | "minute" | "second" }) {
  const text = as === "distance" ? shownDistance(time) : as === "day" ? shownDay(time) : shownTime(time, as);
  return (
    <time dateTime={time} title={shownTime(time, "second")}>
      {text}
    </time>
  );
}

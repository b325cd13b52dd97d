import type { ValueBucket } from "./bucket.ts";
import type { BucketStrategy } from "./bucket-strategy.ts";

/** Dates without a time: counted by month, then by day. */
export const days: BucketStrategy = {
  firstBuckets: (field) => histogram(field, "month"),
  narrow: (field, bucket) => (isDay(bucket) ? "ids" : histogram(field, "day")),
  bucketsOf: (counted, outer) =>
    counted.map(({ key_as_string, doc_count }) => {
      const from = key_as_string!;
      return { from, to: after(from, outer ? "day" : "month"), count: doc_count };
    }),
};

function histogram(field: string, calendar_interval: "day" | "month") {
  return { date_histogram: { field, calendar_interval, min_doc_count: 1, format: "yyyy-MM-dd" } };
}

const isDay = ({ from, to }: ValueBucket): boolean => to === after(String(from), "day");

/** The first day after the day or month that begins with `date`; null after the year 9999, which dates can't express. */
function after(date: string, unit: "day" | "month"): string | null {
  const next = new Date(`${date}T00:00:00Z`);
  if (unit === "day") next.setUTCDate(next.getUTCDate() + 1);
  else next.setUTCMonth(next.getUTCMonth() + 1);
  return next.getUTCFullYear() > 9999 ? null : next.toISOString().slice(0, 10);
}

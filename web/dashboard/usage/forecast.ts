const DAY_MS = 86_400_000;
/** With less behind it, a forecast would be a guess. */
const TOO_EARLY_MS = 2 * DAY_MS;
/** With less behind it, a busy day counts too much. */
const ROUGH_MS = 7 * DAY_MS;

/** The requests of a calendar month when it ends, if the rest of it is like what is behind. */
export type Forecast =
  | { kind: "too_early" }
  | {
      kind: "estimate";
      requests: number;
      /** Made of less than a week. */
      rough: boolean;
      /** When the month's limit is reached; undefined if it is not, or was reached before. */
      usedUpAt: Date | undefined;
    };

/**
 * Linear: as many requests per hour as until now. The month begins with the account if that is newer. `resetsAt`: the end of the
 * month; times are ISO.
 */
export function forecastOf({
  used,
  limit,
  resetsAt,
  now,
  accountSince,
}: {
  used: number;
  limit: number;
  resetsAt: string;
  now: string;
  accountSince: string;
}): Forecast {
  const end = new Date(resetsAt);
  const monthBegan = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1);
  const began = Math.max(monthBegan, Date.parse(accountSince));
  const behind = Date.parse(now) - began;
  if (behind < TOO_EARLY_MS) return { kind: "too_early" };
  const perMs = used / behind;
  const requests = Math.max(used, Math.round(perMs * (end.getTime() - began)));
  return {
    kind: "estimate",
    requests,
    rough: behind < ROUGH_MS,
    usedUpAt: used < limit && requests > limit ? new Date(began + limit / perMs) : undefined,
  };
}

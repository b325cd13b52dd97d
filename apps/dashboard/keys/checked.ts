import { givenExpiry, givenName } from "@tranche/operations/accounts/given";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";

const DAY_MS = 86_400_000;

/** The body of a request to create a key: its name, and when it expires, in days from now or at the start of a day (UTC). */
export const newKey = z.strictObject({
  name: givenName,
  expires_in_days: z.union([z.literal(30), z.literal(90), z.literal(365)], "Choose one of the periods.").optional(),
  expires_on: givenExpiry.optional(),
});

/** How long the old key keeps working when it is rotated: not at all, an hour, a day or a week. */
export const rotation = z.strictObject({
  overlap_seconds: z.union(
    [z.literal(0), z.literal(3600), z.literal(86_400), z.literal(604_800)],
    "Choose one of the periods.",
  ),
});

/** When a key expires, as ISO time; undefined if it does not. Throws `invalid_request` for both a period and a date. */
export function checkedExpiry(
  { expires_in_days, expires_on }: Pick<z.output<typeof newKey>, "expires_in_days" | "expires_on">,
  now: number,
): string | undefined {
  if (expires_in_days === undefined) return expires_on;
  if (expires_on === undefined) return new Date(now + expires_in_days * DAY_MS).toISOString();
  throw new PageError("invalid_request", "Choose either a period or a date.", { parameter: "expires_on" });
}

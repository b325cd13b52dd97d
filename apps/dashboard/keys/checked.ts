import { givenName } from "@tranche/operations/accounts/given-name";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";

const DAY_MS = 86_400_000;

/** The body of a request to create a key: its name, and when it expires, in days from now or at the start of a day (UTC). */
export const newKey = z.strictObject({
  name: givenName,
  expires_in_days: z.union([z.literal(30), z.literal(90), z.literal(365)], "Choose one of the periods.").optional(),
  expires_on: z.iso.date("Enter a date of the calendar, such as 2030-01-31.").optional(),
});

/** How long the old key keeps working when it is rotated: not at all, an hour, a day or a week. */
export const rotation = z.strictObject({
  overlap_seconds: z.union(
    [z.literal(0), z.literal(3600), z.literal(86_400), z.literal(604_800)],
    "Choose one of the periods.",
  ),
});

/** When a key expires, as ISO time; undefined if it does not. Throws `invalid_request` for a time that is not in the future. */
export function checkedExpiry(
  { expires_in_days, expires_on }: Pick<z.output<typeof newKey>, "expires_in_days" | "expires_on">,
  now: number,
): string | undefined {
  if (expires_in_days !== undefined && expires_on !== undefined) {
    throw new PageError("invalid_request", "Choose either a period or a date.", { parameter: "expires_on" });
  }
  if (expires_in_days !== undefined) return new Date(now + expires_in_days * DAY_MS).toISOString();
  if (expires_on === undefined) return undefined;
  const expires = new Date(`${expires_on}T00:00:00Z`);
  if (expires.getTime() <= now) {
    throw new PageError("invalid_request", "The date must be in the future: the key works until 00:00 UTC of it.", {
      parameter: "expires_on",
    });
  }
  return expires.toISOString();
}

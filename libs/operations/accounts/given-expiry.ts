import { z } from "zod";

/** The first day (UTC) on which a key no longer works, as the ISO time at which it begins. It must be in the future. */
export const givenExpiry = z.iso.date("Enter a date of the calendar, such as 2030-01-31.").transform((day, check) => {
  const at = Date.parse(day);
  if (at > Date.now()) return new Date(at).toISOString();
  check.addIssue("The date must be in the future: the key works until 00:00 UTC of it.");
  return z.NEVER;
});

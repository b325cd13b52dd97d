import { emailOf } from "@tranche/shared/accounts/member";
import { ROLES } from "@tranche/shared/accounts/role";
import { text } from "@tranche/shared/domain/records/text";
import { z } from "zod";

const NAME = text(200);
const WANTED_EMAIL = "Enter an e-mail address, such as ada@example.com.";

/** A name that people give to an account or a key, without blanks around it: one rule for the command line and all pages. */
export const givenName = z.string("Enter a name.").transform((value, check) => {
  const { success, data, error } = NAME.safeParse(value);
  if (success) return data;
  check.addIssue(`The name ${error.issues[0]!.message}.`);
  return z.NEVER;
});

/** An e-mail address that people give, as it is stored. */
export const givenEmail = z.string(WANTED_EMAIL).transform((value, check) => {
  const email = emailOf(value);
  if (email === undefined) check.addIssue(WANTED_EMAIL);
  return email ?? z.NEVER;
});

/** Why an operator does something, for the audit log. */
export const givenReason = z
  .string("Give a reason.")
  .trim()
  .min(1, "Give a reason.")
  .max(500, "A reason has at most 500 characters.");

/** A limit on requests. */
export const givenLimit = z
  .int("Give a whole number from 1.")
  .min(1, "Give a whole number from 1. Suspend the account to refuse all its requests.")
  .max(1e9, "Give a number up to 1,000,000,000.");

/** How long something lasts, in seconds: a year at most. */
export const givenLength = z
  .int("Give whole seconds.")
  .min(1, "Give a time of at least a second.")
  .max(366 * 86_400, "Give a time of at most 366 days, or none.");

/** The role that people give to a member. */
export const givenRole = z.enum(ROLES, `Choose a role: ${ROLES.join(", ")}.`);

/** The first day (UTC) on which a key no longer works, as the ISO time at which it begins. It must be in the future. */
export const givenExpiry = z.iso.date("Enter a date of the calendar, such as 2030-01-31.").transform((day, check) => {
  const at = Date.parse(day);
  if (at > Date.now()) return new Date(at).toISOString();
  check.addIssue("The date must be in the future: the key works until 00:00 UTC of it.");
  return z.NEVER;
});

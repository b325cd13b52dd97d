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

/** The role that people give to a member. */
export const givenRole = z.enum(ROLES, `Choose a role: ${ROLES.join(", ")}.`);

/** The first day (UTC) on which a key no longer works, as the ISO time at which it begins. It must be in the future. */
export const givenExpiry = z.iso.date("Enter a date of the calendar, such as 2030-01-31.").transform((day, check) => {
  const at = Date.parse(day);
  if (at > Date.now()) return new Date(at).toISOString();
  check.addIssue("The date must be in the future: the key works until 00:00 UTC of it.");
  return z.NEVER;
});

import { text } from "@tranche/shared/domain/records/text";
import { z } from "zod";

const NAME = text(200);

/** A name that people give to an account or a key, without blanks around it: one rule for the command line and all pages. */
export const givenName = z.string("Enter a name.").transform((value, check) => {
  const { success, data, error } = NAME.safeParse(value);
  if (success) return data;
  check.addIssue(`The name ${error.issues[0]!.message}.`);
  return z.NEVER;
});

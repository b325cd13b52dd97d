import { emailOf } from "@tranche/shared/accounts/member";
import { z } from "zod";

const WANTED = "Enter an e-mail address, such as ada@example.com.";

/** An e-mail address that people give, as it is stored. */
export const givenEmail = z.string(WANTED).transform((text, check) => {
  const email = emailOf(text);
  if (email === undefined) check.addIssue(WANTED);
  return email ?? z.NEVER;
});

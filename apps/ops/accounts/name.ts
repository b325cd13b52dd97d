import { givenName } from "@tranche/operations/accounts/given-name";
import { WrongUsage } from "../terminal/failure.ts";

/** The name in `--name`, without blanks around it. Throws WrongUsage. */
export function nameOf(given: string): string {
  const { success, data, error } = givenName.safeParse(given);
  if (success) return data;
  throw new WrongUsage(`--name: ${error.issues[0]!.message}`);
}

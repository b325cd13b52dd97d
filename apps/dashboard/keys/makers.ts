import type { AccountStore } from "@tranche/shared/accounts/account-store";
import { isWorking } from "@tranche/operations/accounts/key-view";

const MAKER = /^member:(\S+)(?: \(by a link of (\S+)\))?$/;

/**
 * The names of an account's working keys by the e-mail address of the member who made them, by the audit log. A key that somebody made by
 * another member's link is both members'.
 */
export async function keysByMaker(
  accounts: Pick<AccountStore, "keys" | "creationsOf">,
  account: string,
): Promise<Map<string, string[]>> {
  const working = (await accounts.keys(account)).filter((key) => isWorking(key, Date.now()));
  const creations = await accounts.creationsOf(working.map(({ key_id }) => key_id));
  const makers = new Map(creations.map(({ key_id, actor }) => [key_id, actor]));
  const made = new Map<string, string[]>();
  for (const { key_id, name } of working) {
    for (const email of MAKER.exec(makers.get(key_id) ?? "")?.slice(1) ?? []) {
      if (email !== undefined) made.set(email, [...(made.get(email) ?? []), name]);
    }
  }
  return made;
}

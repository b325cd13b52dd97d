import type { Account, AccountStore } from "@tranche/shared/accounts/account-store";
import { monthUsage } from "@tranche/shared/accounts/month-usage";
import type { Installation } from "../installation/installation.ts";
import { isWorking } from "./key-view.ts";

/** An account with the state of its keys and its use. */
export type Overview = Account & {
  /** Keys that work: neither revoked nor expired. */
  working_keys: number;
  /** The requests of the calendar month, UTC, as far as they count towards the quota. */
  requests_this_month: number;
  /** To the minute; null until a key was used. */
  last_used_at: string | null;
};

/** Accounts with their use. */
export async function overviews(
  { redis, settings }: Pick<Installation, "redis" | "settings">,
  store: Pick<AccountStore, "keysOf">,
  accounts: readonly Account[],
): Promise<Overview[]> {
  const handles = accounts.map(({ account }) => account);
  const now = Date.now();
  const [keys, used] = await Promise.all([
    store.keysOf(handles),
    monthUsage(redis, settings.TRANCHE_NAMESPACE, handles, now),
  ]);
  return accounts.map((account, i) => {
    const own = keys.get(account.account) ?? [];
    const lastUses = own.flatMap(({ last_used_at }) => last_used_at ?? []).toSorted();
    return {
      ...account,
      working_keys: own.filter((key) => isWorking(key, now)).length,
      requests_this_month: used[i]!,
      last_used_at: lastUses.at(-1) ?? null,
    };
  });
}

import { ACCOUNT_OPERATIONS, shownOverview } from "@tranche/operations/accounts/account-operations";
import { type KeyView, keyView } from "@tranche/operations/accounts/key-view";
import type { OperationName, ViewOf } from "@tranche/operations/accounts/operations";
import type { Overview } from "@tranche/operations/accounts/overview";
import { createDailyUsage, type UsageLine } from "@tranche/shared/accounts/daily-usage";
import type { Role } from "@tranche/shared/accounts/role";
import type { PageHandler } from "./operations.ts";
import type { OperatorRouteParts } from "./parts.ts";

/** A new account with its first key, a new key, and a link that signs somebody in once. Each is shown only here. */
export type NewAccount = ViewOf<"accounts.create">;
export type NewKey = ViewOf<"keys.create">;
export type SignInLinkView = ViewOf<"members.sign-in-link">;

/** `quota`: requests that the plan allows in a month; null when the plan is no longer in force. */
export type AccountRow = ReturnType<typeof shownOverview> & { quota: number | null };
export type AccountView = AccountRow & {
  keys: KeyView[];
  members: { email: string; role: Role; added_at: string }[];
  /** Requests by day, the oldest first; days without any are left out. */
  usage: UsageLine[];
};

/** What the pages show of accounts: more than `ops accounts` prints. */
export function accountPages({ installation, plans }: OperatorRouteParts) {
  const usage = createDailyUsage(installation.redis, installation.settings.TRANCHE_NAMESPACE);
  const rowOf = (of: Overview): AccountRow => ({ ...shownOverview(of), quota: plans()[of.plan]?.quota ?? null });
  return {
    "accounts.list": async (doing) =>
      (await ACCOUNT_OPERATIONS["accounts.list"].does(doing, undefined, {})).map(rowOf).toReversed(),
    async "accounts.show"(doing, account): Promise<AccountView> {
      const [{ overview, keys }, days, members] = await Promise.all([
        ACCOUNT_OPERATIONS["accounts.show"].does(doing, account!, {}),
        usage.read(account!.account, Date.now()),
        doing.members.ofAccount(account!.account),
      ]);
      return {
        ...rowOf(overview),
        keys: keys.map((key) => keyView(key, Date.now())).toReversed(),
        members: members.map(({ email, role, added_at }) => ({ email, role, added_at })),
        usage: days,
      };
    },
  } satisfies { [N in OperationName]?: PageHandler };
}

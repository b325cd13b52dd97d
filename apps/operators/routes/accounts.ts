import { ACCOUNT_OPERATIONS } from "@tranche/operations/accounts/account-operations";
import { shownOverview } from "@tranche/operations/accounts/account-view";
import { keyView } from "@tranche/operations/accounts/key-view";
import type { OperationName } from "@tranche/operations/accounts/operations";
import type { Overview } from "@tranche/operations/accounts/overview";
import { createDailyUsage } from "@tranche/shared/accounts/daily-usage";
import type { PageHandler } from "./operations.ts";
import type { OperatorRouteParts } from "./parts.ts";

/** Accounts as the pages show them, with more than `ops accounts` prints. */
export function accountPages({ installation, plans }: OperatorRouteParts) {
  const usage = createDailyUsage(installation.redis, installation.settings.TRANCHE_NAMESPACE);
  const rowOf = (of: Overview) => ({
    ...shownOverview(of),
    /** Requests that the plan allows in a month; null when the plan is no longer in force. */
    quota: plans()[of.plan]?.quota ?? null,
  });
  return {
    "accounts.list": async (doing) =>
      (await ACCOUNT_OPERATIONS["accounts.list"].does(doing, undefined, {})).map(rowOf).toReversed(),
    async "accounts.show"(doing, account) {
      const [{ overview, keys }, days, members] = await Promise.all([
        ACCOUNT_OPERATIONS["accounts.show"].does(doing, account!, {}),
        usage.read(account!.account, Date.now()),
        doing.members.ofAccount(account!.account),
      ]);
      return {
        ...rowOf(overview),
        keys: keys.map((key) => keyView(key, Date.now())).toReversed(),
        members: members.map(({ email, role, added_at }) => ({ email, role, added_at })),
        /** Requests by day, the oldest first; days without any are left out. */
        usage: days,
      };
    },
  } satisfies { [N in OperationName]?: PageHandler };
}

import type { Account } from "@tranche/shared/accounts/account-store";
import { throttleInForce } from "@tranche/shared/accounts/throttle";
import { counted } from "@tranche/shared/domain/text/numbers";
import type { Overview } from "./overview.ts";

/** An account as the operators' pages have it after a change. */
export const view = (account: Account) => ({
  id: account.account,
  name: account.name,
  plan: account.plan,
  status: account.status,
  throttle: shownThrottle(account, Date.now()),
});

/** An account as --json prints it. */
export const shown = (account: Account) => ({ ...view(account), created_at: account.created_at });

export const statusText = ({ account, name, status }: Account) => `Account ${account} (${name}) is now ${status}.`;

/** The lower limits of an account that are in force, as --json and the operators' pages have them; null where there are none. `now` in ms. */
function shownThrottle({ throttle: stored }: Account, now: number) {
  const throttle = throttleInForce(stored, now);
  if (!throttle) return null;
  const { burst = null, quota = null, until = null, reason } = throttle;
  return { burst, quota, until, reason };
}

/** The state of an account in a column: `active`, `active, throttled`. */
export const stateText = (status: string, isThrottled: boolean): string =>
  isThrottled ? `${status}, throttled` : status;

/** `10 requests in 60 seconds and 500 requests in a month, until 2027-01-31T18:00:00.000Z`. */
export const throttleText = (limits: Record<"burst" | "quota" | "until", string | number | undefined>) => {
  const most = [
    ...(limits.burst === undefined ? [] : [`${limits.burst} requests in 60 seconds`]),
    ...(limits.quota === undefined ? [] : [`${limits.quota} requests in a month`]),
  ];
  return `${most.join(" and ")}${limits.until === undefined ? "" : `, until ${limits.until}`}`;
};

/** An account with its use, as --json prints it and the operators' pages list it. */
export function shownOverview(overview: Overview) {
  const { working_keys, requests_this_month, last_used_at } = overview;
  return { ...shown(overview), working_keys, requests_this_month, last_used_at };
}

/** A line on the lower limits of an account; none without them. */
export function throttledLine(account: Account): string[] {
  const throttle = throttleInForce(account.throttle, Date.now());
  if (!throttle) return [];
  const { burst, quota, until, reason } = throttle;
  return [`Throttled to ${throttleText({ burst, quota, until })}: ${reason}`];
}

export const overviewText = (of: Overview) =>
  [
    `Account ${of.account} (${of.name}) on plan ${of.plan}, ${of.status}, created at ${of.created_at}`,
    `${counted(of.requests_this_month, "request")} this month, ${of.last_used_at ? `last used at ${of.last_used_at}` : "never used"}`,
    ...throttledLine(of),
  ].join("\n");

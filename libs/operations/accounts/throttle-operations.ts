import { shown, throttledLine, throttleText, view } from "./account-view.ts";
import { operation } from "./operation.ts";

/** Limits of an account below those of its plan. */
export const THROTTLE_OPERATIONS = {
  "accounts.throttle": operation({
    on: "account",
    input: ["burst?", "quota?", "lasts?", "reason"],
    oneOf: {
      kinds: ["burst", "quota"],
      refusal: "Give a limit: on requests in any 60 seconds, on requests in a calendar month, or both.",
    },
    async does({ accounts, installation }, { account, plan }, { burst, quota, lasts, reason }) {
      const { assertBelowPlan } = await import("./below-plan.ts");
      assertBelowPlan(installation.settings.TRANCHE_PLANS_FILE, plan, { burst, quota });
      const until = lasts === undefined ? undefined : new Date(Date.now() + lasts * 1000).toISOString();
      return accounts.throttle(account, { burst, quota, until, reason });
    },
    audit: {
      action: "account.throttle",
      told: ({ details: { burst, quota, until } }) => `lowered the limits to ${throttleText({ burst, quota, until })}`,
    },
    command: {
      name: "accounts throttle",
      summary: "Lower limits of an account",
      description:
        "Lower one or both limits of an account below its plan. They take effect within one second, and last until --for is over or until `ops accounts unthrottle`.",
      options: {
        burst: ["--burst <requests>", "requests in any 60 seconds; without it, those of the plan"],
        quota: ["--quota <requests>", "requests in a calendar month; without it, those of the plan"],
        lasts: ["--for <time>", "when it ends by itself, like 30m, 6h or 7d; without it, it stays"],
        reason: ["--reason <text>", "reason, for the audit log; callers and members don't see it"],
      },
      example: '--account 8kQ2mZ0a --burst 10 --for 6h --reason "a loop in their import"',
      shown,
      text: (account) =>
        [
          `Account ${account.account} (${account.name}) has lower limits than its plan ${account.plan}.`,
          ...throttledLine(account),
        ].join("\n"),
    },
    operators: { route: "POST /accounts/:id/throttle", view },
  }),

  "accounts.unthrottle": operation({
    on: "account",
    input: [],
    does: ({ accounts }, { account }) => accounts.unthrottle(account),
    audit: { action: "account.unthrottle", told: () => "gave the account the limits of its plan again" },
    command: {
      name: "accounts unthrottle",
      description: "Give an account the limits of its plan again.",
      shown,
      text: ({ account, name, plan }) => `Account ${account} (${name}) has the limits of its plan ${plan} again.`,
    },
    operators: { route: "POST /accounts/:id/unthrottle", view },
  }),
};

import { AccountError } from "@tranche/shared/accounts/account";
import { readPlans } from "@tranche/shared/accounts/plans-file";

/** Throws an AccountError unless each limit is lower than that of the plan. `file`: the operator's file of plans, if there is one. */
export function assertBelowPlan(
  file: string | undefined,
  planId: string,
  { burst, quota }: { burst?: number | undefined; quota?: number | undefined },
): void {
  const plan = readPlans(file)[planId];
  if (!plan) throw new AccountError(`The plan '${planId}' of the account is not in force. Change its plan first.`);
  if (burst !== undefined && burst >= plan.burst)
    throw new AccountError(
      `The plan ${plan.name} allows ${plan.burst} requests in 60 seconds: give fewer than that, or leave it out. To allow more, change the plan.`,
    );
  if (quota !== undefined && quota >= plan.quota)
    throw new AccountError(
      `The plan ${plan.name} allows ${plan.quota} requests in a calendar month: give fewer than that, or leave it out.`,
    );
}

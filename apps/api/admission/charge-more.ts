import type { Plan } from "@tranche/shared/accounts/plans";
import { type CallerRequest, type Charge, chargeOf, recordCharge } from "./charge.ts";
import { costsTooMuch } from "./refusals.ts";

/**
 * Charges a request that costs more than the one request it was admitted for. It has to come before the first byte of the answer.
 * `cost`: requests in all. `what`: the name of what costs them, for the error text, such as `An export of 4,000 rows`. When fewer
 * requests are left, it throws `quota_exceeded` and charges nothing; the refusal then gives back the one request. With `undelivered`,
 * the charge is an advance: call `refund` or `delivered` when the answer ends.
 */
export async function chargeMore(
  request: CallerRequest,
  plan: Plan,
  cost: number,
  what: string,
  undelivered?: () => number,
): Promise<void> {
  const charge = chargeOf(request);
  if (!charge || cost <= 1) return;
  const count = cost - 1;
  // The one request that it was admitted for is not part of the advance.
  const further = await charge.further(count, undelivered && (() => Math.min(undelivered(), count)));
  const { limits } = further;
  if (!further.charged) {
    recordCharge(request, { ...charge, limits });
    // The one request that the refusal gives back is left as well.
    const month = { ...limits.month, used: limits.month.used - charge.month };
    throw costsTooMuch(plan, { ...limits, month }, { what, cost, advice: " Narrow it with filters." });
  }
  const whole: Charge = {
    ...charge,
    limits,
    month: charge.month + count,
    async refund(requests) {
      // They may count in different months.
      const ofFurther = Math.min(requests, count);
      if (ofFurther > 0) await further.refund(ofFurther);
      if (requests > ofFurther) await charge.refund(requests - ofFurther);
    },
    delivered: () => further.refund(0),
  };
  recordCharge(request, whole);
}

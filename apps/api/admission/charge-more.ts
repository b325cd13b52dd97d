import type { Plan } from "@tranche/shared/accounts/plans";
import { type CallerRequest, type Charge, chargeOf, limitsWithout, recordCharge } from "./charge.ts";
import { costsTooMuch, quotaExceeded } from "./refusals.ts";

/** The price of a request in all, and its name in the error text, such as `An export of 4,000 rows`. `advice`: how to make it cost less. */
export type Price = { cost: number; what: string; advice?: string };

/**
 * Charges a request that costs more than it was admitted for. It has to come before the first byte of the answer. When fewer requests are
 * left, it throws `quota_exceeded` and charges nothing; the refusal then gives back what it was admitted for. With `undelivered`, the
 * charge is an advance: call `refund` or `delivered` when the answer ends.
 */
export async function chargeMore(
  request: CallerRequest,
  plan: Plan,
  { cost, what, advice }: Price,
  undelivered?: () => number,
): Promise<void> {
  const charge = chargeOf(request);
  if (!charge || cost <= charge.month) return;
  const count = cost - charge.month;
  // What it was admitted for is not part of the advance.
  const further = await charge.further(count, undelivered && (() => Math.min(undelivered(), count)));
  const { limits } = further;
  if (!further.charged) {
    recordCharge(request, { ...charge, limits });
    // What the refusal gives back is left as well.
    const left = limitsWithout({ ...charge, limits });
    throw cost > 1
      ? costsTooMuch(plan, left, { what, cost, ...(advice === undefined ? {} : { advice }) })
      : quotaExceeded(plan, left);
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

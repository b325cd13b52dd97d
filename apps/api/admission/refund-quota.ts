import { type CallerRequest, chargeOf, limitsWithout, recordCharge } from "./charge.ts";

/** Refunds the quota of a response without data. The burst stays counted. */
export async function refundQuota(request: CallerRequest): Promise<void> {
  const charge = chargeOf(request);
  if (!charge || charge.month === 0) return;
  await charge.refund(charge.month);
  recordCharge(request, { ...charge, month: 0, limits: limitsWithout(charge) });
}

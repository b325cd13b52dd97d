import { type CallerRequest, chargeOf, noteCharge } from "./charge.ts";

/** Gives back what an answer was charged to the quota, because there was nothing to send. The burst stays counted. */
export async function giveBack(request: CallerRequest): Promise<void> {
  const charge = chargeOf(request);
  if (!charge || charge.month === 0) return;
  await charge.refund({ burst: 0, month: charge.month });
  const { month } = charge.limits;
  const limits = { ...charge.limits, month: { ...month, used: month.used - charge.month } };
  noteCharge(request, { ...charge, month: 0, limits });
}

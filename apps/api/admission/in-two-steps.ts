import { type Admit, type Admitted, NO_QUOTA } from "./admit.ts";
import { chargeMore } from "./charge-more.ts";
import { type CallerRequest, chargeOf } from "./charge.ts";
import type { RefusalOf } from "./price-list.ts";

/** Admission for requests whose cost is in their body: key and burst are decided before it is read, the quota after. */
type InTwoSteps = {
  /** Decides key and burst. Throws the refusal. */
  enter: (request: CallerRequest, refusalOf?: RefusalOf) => Promise<Admitted>;
  /** Charges the quota of a request that has entered, once, however often it is asked. Throws the refusal, which then costs nothing. */
  charge: Admit;
};

export function inTwoSteps(admit: Admit): InTwoSteps {
  /** By the state of the request, which its parts share. */
  const entered = new WeakMap<CallerRequest["state"], Admitted>();
  return {
    async enter(request, refusalOf = () => undefined) {
      const admitted = await admit(request, refusalOf, NO_QUOTA);
      entered.set(request.state, admitted);
      return admitted;
    },
    async charge(request, refusalOf, { requests: cost } = { requests: 1 }) {
      const admitted = entered.get(request.state)!;
      const refusal = refusalOf(admitted.plan);
      if (refusal) throw refusal;
      await chargeMore(request, admitted.plan, { cost, what: "This request" });
      return { ...admitted, limits: chargeOf(request)!.limits };
    },
  };
}

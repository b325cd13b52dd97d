import type { Context } from "koa";
import type { Standing } from "./standing.ts";

/** What a request with a valid key was charged, and where its account stands after it. */
export type Charge = {
  handle: string;
  keyId: string;
  keyHash: string;
  standing: Standing;
  burst: 0 | 1;
  month: 0 | 1;
  /** Gives back a part of it. */
  giveBack(part: { burst: 0 | 1; month: 0 | 1 }): Promise<void>;
};

/** Leaves the charge with the request, to be settled when its answer is known. */
export function noteCharge(ctx: Context, charge: Charge): void {
  ctx.state.charge = charge;
  ctx.state.account = charge.handle;
}

/** The charge of a request; undefined when its key was not valid, or when it needed none. */
export const chargeOf = (ctx: Context): Charge | undefined => ctx.state.charge as Charge | undefined;

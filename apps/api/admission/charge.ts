import type { IncomingMessage } from "node:http";
import type { Credentials } from "./credentials.ts";
import type { LimitStatus } from "./limit-status.ts";

/** What a request with a valid key was charged, and where its account stands after it. */
export type Charge = {
  handle: string;
  keyId: string;
  keyHash: string;
  limits: LimitStatus;
  burst: 0 | 1;
  month: 0 | 1;
  /** Gives back a part of it. */
  refund(part: { burst: 0 | 1; month: 0 | 1 }): Promise<void>;
};

/** What admission needs of a request, and where it leaves what it found. Koa's contexts are such. */
export type Asking = {
  readonly req: IncomingMessage;
  /** The caller's address; looked at only where a key is not known. */
  readonly ip: string;
  readonly state: { credentials?: Credentials; charge?: Charge; account?: string };
};

/** Leaves the charge with the request, to be settled when its answer is known. */
export function noteCharge({ state }: Asking, charge: Charge): void {
  state.charge = charge;
  state.account = charge.handle;
}

/** The charge of a request; undefined when its key was not valid, or when it needed none. */
export const chargeOf = ({ state }: Asking): Charge | undefined => state.charge;

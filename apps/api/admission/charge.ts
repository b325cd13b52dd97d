import type { IncomingMessage } from "node:http";
import type { Credentials } from "./credentials.ts";
import type { LimitStatus } from "./limit-status.ts";

/** The charge of a request with a valid key, and the status of its account's limits after it. The burst is never given back. */
export type Charge = {
  handle: string;
  keyId: string;
  keyHash: string;
  limits: LimitStatus;
  /** How many requests of the quota it costs. */
  month: number;
  /** It came out of the own pool of the account, so the month has none of it. */
  own?: boolean;
  /** Whether it costs quota for any status below 500, because of the work that it takes. */
  takesWork?: true;
  /** Refunds this number of requests of the quota. */
  refund(requests: number): Promise<void>;
  /**
   * Charges `count` further requests to the quota: all, or none when fewer are left. With `undelivered` they are an advance: those
   * not delivered yet are refunded if this process is killed.
   */
  further(count: number, undelivered?: () => number): Promise<FurtherCharge>;
  /** Ends the advance, if there is one, without a refund. */
  delivered?(): Promise<void>;
};

/** Whether further requests were charged, and the status of the limits after it. */
export type FurtherCharge = {
  charged: boolean;
  limits: LimitStatus;
  /** Refunds this number of them, and ends the advance. */
  refund(count: number): Promise<void>;
};

/** The decision on a request with a valid key, and who decided: Redis or, during an outage, this process. */
export type Charged = {
  by: "redis" | "process";
  verdict: "admitted" | "rate_limited" | "quota_exceeded";
  planId: string;
  charge: Charge;
};

/** The part of a request that admission reads, and the state where it stores credentials and charge. A Koa context is one. */
export type CallerRequest = {
  readonly req: IncomingMessage;
  /** The caller's IP address. Only read when the key is not known. */
  readonly ip: string;
  readonly state: {
    credentials?: Credentials;
    charge?: Charge;
    account?: string;
    admittedAt?: number;
    /** It came to `/mcp`. */
    isMcp?: true;
  };
};

/** Stores the charge with the request, and when it was made. Its status decides whether the quota is refunded. */
export function recordCharge({ state }: CallerRequest, charge: Charge): void {
  state.charge = charge;
  state.account = charge.handle;
  state.admittedAt = performance.now();
}

/** Notes the account of a key that exists and does not work, for operators. */
export function noteAccount({ state }: CallerRequest, handle: string): void {
  state.account = handle;
}

/** Records that a request costs quota even when the caller has the answer already, or when the answer is a refusal. */
export function recordWork({ state }: CallerRequest): void {
  if (state.charge) state.charge = { ...state.charge, takesWork: true };
}

/** How many requests of the quota a request has cost so far. */
export const costOf = (request: CallerRequest): number => chargeOf(request)?.month ?? 0;

/** The limits as they are once the cost of a request was refunded. */
export const limitsWithout = ({ limits, month: cost, own }: Charge): LimitStatus => {
  const name = own ? "own" : "month";
  return { ...limits, [name]: { ...limits[name], used: limits[name].used - cost } };
};

/** The charge of a request; undefined when its key was not valid, or when it needed none. */
export const chargeOf = ({ state }: CallerRequest): Charge | undefined => state.charge;

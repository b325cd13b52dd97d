import type { Context } from "koa";
import type { ApiError } from "../errors/api-error.ts";
import type { Admit } from "./admit.ts";

/** Refuses a request that does not reach an endpoint. */
export type Refuse = (ctx: Context, refusal: ApiError) => Promise<never>;

/**
 * Callers with a key are admitted first: the refusal costs burst but no quota, and carries the headers with their limits. Others get
 * the refusal at once.
 */
export function createRefuse(admit: Admit): Refuse {
  return async (ctx, refusal) => {
    if (ctx.get("Authorization") !== "") await admit(ctx, () => refusal);
    throw refusal;
  };
}

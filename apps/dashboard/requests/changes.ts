import type { Context, Middleware } from "koa";
import { tooMany } from "@tranche/http/errors/page-error";
import type { Limits } from "./limits.ts";

/** Changes of one account that a process works on at once. */
const AT_ONCE = 5;
/** Requests that take something away: a session, a member, a key, a link, a webhook, a follow. */
const TAKES_AWAY = /\/(?:sign-out|sign-out-everywhere|remove|leave|revoke|end)$/;

/** Limits how often members change things. Every change is several writes, and the stores serve all accounts. */
export type Changes = {
  /** Counts a request that changes something. Throws `too_many_requests` with `Retry-After`. */
  begin(ctx: Context, by: { account: string; member: string }): Promise<void>;
  /** Around all routes: what a request began ends with its work, also when nobody waits for the answer any more. */
  ended: Middleware;
};

/**
 * Changes are counted for the account. What takes something away is counted for each member, because a member who changes things all the
 * time must not keep the others from removing them.
 */
export function createChanges(limits: Pick<Limits, "spend">): Changes {
  const running = new Map<string, number>();
  const ending = new WeakMap<Context, () => void>();
  return {
    async begin(ctx, { account, member }) {
      const removes = ctx.method === "DELETE" || TAKES_AWAY.test(ctx.path);
      const by = removes ? `${account}:${member}` : account;
      const others = running.get(by) ?? 0;
      if (others >= AT_ONCE) {
        throw tooMany(`This account has ${AT_ONCE} changes under way. Wait until one of them is done.`, 1);
      }
      running.set(by, others + 1);
      ending.set(ctx, () => {
        const left = running.get(by)! - 1;
        if (left > 0) running.set(by, left);
        else running.delete(by);
      });
      await limits.spend("changes_of", by);
    },
    async ended(ctx, next) {
      try {
        await next();
      } finally {
        ending.get(ctx)?.();
      }
    },
  };
}

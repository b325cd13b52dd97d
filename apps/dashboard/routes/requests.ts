import type Router from "@koa/router";
import { ALL_OPERATIONS } from "@tranche/operations/accounts/operations";
import type { Context } from "koa";
import { assertActive } from "../sessions/active-account.ts";
import type { RequireSession, SignedIn } from "../sessions/signed-in.ts";

/** Answers a member's request with its `data`; undefined: the answer has none. */
type Handler = (signedIn: SignedIn, ctx: Context) => Promise<object | void>;

const ROWS = new Map(ALL_OPERATIONS.flatMap(([, { members }]) => (members ? [[members.route, members]] : [])));

/** Adds requests of members by method and path. That of an operation has the status of its row, which says, too, whether the account has to be active. */
export function addRequests(
  router: Router,
  requireSession: RequireSession,
  handlers: { readonly [route: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`]: Handler },
): void {
  for (const [route, answer] of Object.entries(handlers)) {
    const [method, path] = route.split(" ") as [string, string];
    const row = ROWS.get(route);
    router.register(path, [method], async (ctx: Context) => {
      const signedIn = await requireSession(ctx);
      if (row?.needsActive) assertActive(signedIn.account);
      const data = await answer(signedIn, ctx);
      if (data) ctx.body = { data };
      else ctx.status = 204;
      if (row?.status) ctx.status = row.status;
    });
  }
}

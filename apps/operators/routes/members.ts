import type Router from "@koa/router";
import { bodyOf } from "@tranche/http/server/json-body";
import { LINK_MINUTES } from "@tranche/shared/accounts/member";
import { givenEmail } from "@tranche/operations/accounts/given-email";
import { givenRole } from "@tranche/operations/accounts/given-role";
import { signInLink } from "@tranche/operations/accounts/sign-in-link";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { actorOf, type OperatorRouteParts } from "./parts.ts";

/** A link that signs somebody in once. It is shown only here. */
export type SignInLinkView = { email: string; url: string; minutes: number };

const wanted = z.object({ email: givenEmail, role: givenRole.default("admin") });

/** Sign-in links for members of accounts: what `ops accounts sign-in-link` does. */
export function addMembers(router: Router, { installation, accountsAs }: OperatorRouteParts): void {
  router.post("/accounts/:id/sign-in-link", async (ctx) => {
    const { email, role } = bodyOf(ctx, wanted);
    const actor = actorOf(ctx);
    const account = await accountsAs(actor).account(ctx.params["id"]!);
    if (!account) throw new PageError("not_found", "There is no such account.");
    if (account.status === "deleted") throw new PageError("conflict", "The account is deleted.");
    const member = { account: account.account, email, role };
    const made: SignInLinkView = {
      email,
      url: await signInLink(installation, actor, member),
      minutes: LINK_MINUTES,
    };
    ctx.status = 201;
    ctx.body = { data: made };
  });
}

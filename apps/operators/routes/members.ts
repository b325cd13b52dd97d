import type Router from "@koa/router";
import { bodyOf } from "@tranche/http/server/json-body";
import { createLinkStore } from "@tranche/shared/accounts/link-store";
import { emailOf, LINK_MINUTES } from "@tranche/shared/accounts/member";
import { createMemberStore } from "@tranche/shared/accounts/member-store";
import { signInUrl } from "@tranche/shared/process/dashboard-url";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { actorOf, type OperatorRouteParts } from "./parts.ts";

/** A link that signs somebody in once. It is shown only here. */
export type SignInLinkView = { email: string; url: string; minutes: number };

const wanted = z.object({ email: z.string("Enter an e-mail address.").max(300, "This is too long for an address.") });

/** Sign-in links for members of accounts: what `ops accounts sign-in-link` does. */
export function addMembers(router: Router, { installation, accountsAs }: OperatorRouteParts): void {
  const { client, names, settings } = installation;
  router.post("/accounts/:id/sign-in-link", async (ctx) => {
    const email = emailOf(bodyOf(ctx, wanted).email);
    if (email === undefined) {
      throw new PageError("invalid_request", "Enter an e-mail address, such as ada@example.com.", {
        parameter: "email",
      });
    }
    const actor = actorOf(ctx);
    const account = await accountsAs(actor).account(ctx.params["id"]!);
    if (!account) throw new PageError("not_found", "There is no such account.");
    if (account.status === "deleted") throw new PageError("conflict", "The account is deleted.");
    const member = { account: account.account, email };
    await createMemberStore(client, names, { actor }).add(member);
    const secret = await createLinkStore(client, names, { actor }).create(member, { noted: true });
    const made: SignInLinkView = { email, url: signInUrl(settings, secret), minutes: LINK_MINUTES };
    ctx.status = 201;
    ctx.body = { data: made };
  });
}

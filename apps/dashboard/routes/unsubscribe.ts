import type Router from "@koa/router";
import { isSame } from "@tranche/http/server/same-origin";
import type { Follow } from "@tranche/webhooks/follow";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { bodyOf } from "@tranche/http/server/json-body";
import type { DashboardParts } from "./parts.ts";

/** What a link in a mail ends. */
export type UnsubscribeView = { name: string; email: string };

const TOKEN = /^([\da-f-]{36})\.([\w-]{24})$/;
const tokenBody = z.object({ token: z.string("Send the token of the link.").max(100).optional() });

/**
 * Ends follows by the links in their mails, without a session. Only a POST ends one, because mail scanners open links: that of the page's
 * button, or the one that a mail program sends by itself (RFC 8058), with the token in its address.
 */
export function addUnsubscribe(router: Router, { followsAs, limits }: DashboardParts): void {
  const find = async (text: string | undefined): Promise<Follow | undefined> => {
    const [, id, secret] = TOKEN.exec(text ?? "") ?? [];
    if (id === undefined) throw new PageError("link_unusable", "This link was not copied as a whole.");
    const follow = await followsAs("dashboard").find(id);
    return follow && isSame(secret!, follow.unsubscribe) ? follow : undefined;
  };

  router.post("/unsubscribe/look", async (ctx) => {
    await limits.spend("unsubscribes_from", ctx.ip);
    const follow = await find(bodyOf(ctx, tokenBody).token);
    if (!follow) throw new PageError("not_found", "You do not follow this any more.");
    ctx.body = { data: { name: follow.name, email: follow.member } satisfies UnsubscribeView };
  });

  router.post("/unsubscribe", async (ctx) => {
    await limits.spend("unsubscribes_from", ctx.ip);
    const given = ctx.query["token"] ?? bodyOf(ctx, tokenBody).token;
    const follow = await find(typeof given === "string" ? given : undefined);
    // A second time, or from two mails at once, it is ended as well.
    if (follow) await followsAs(`member:${follow.member}`).remove(follow);
    ctx.status = 204;
  });
}

import { isSame } from "@tranche/http/server/same-origin";
import type { Follow } from "@tranche/webhooks/follow";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import type { DashboardParts } from "./parts.ts";
import { openRequest } from "./requests.ts";

const TOKEN = /^([\da-f-]{36})\.([\w-]{24})$/;
const tokenBody = z.object({ token: z.string("Send the token of the link.").max(100).optional() });

/**
 * Ends follows by the links in their mails, without a session. Only a POST ends one, because mail scanners open links: that of the page's
 * button, or the one that a mail program sends by itself (RFC 8058), with the token in its address.
 */
export function unsubscribeRequests({ followsAs, limits }: DashboardParts) {
  const find = async (text: string | undefined): Promise<Follow | undefined> => {
    const [, id, secret] = TOKEN.exec(text ?? "") ?? [];
    if (id === undefined) throw new PageError("link_unusable", "This link was not copied as a whole.");
    const follow = await followsAs("dashboard").find(id);
    return follow && isSame(secret!, follow.unsubscribe) ? follow : undefined;
  };

  return {
    /** The follow that a link in a mail ends. */
    "POST /unsubscribe/look": openRequest({ body: tokenBody }, async ({ ctx, body }) => {
      await limits.spend("unsubscribes_from", ctx.ip);
      const follow = await find(body.token);
      if (!follow) throw new PageError("not_found", "You do not follow this any more.");
      return { name: follow.name, email: follow.member };
    }),

    "POST /unsubscribe": openRequest({ body: tokenBody }, async ({ ctx, body }) => {
      await limits.spend("unsubscribes_from", ctx.ip);
      const given = ctx.query["token"] ?? body.token;
      const follow = await find(typeof given === "string" ? given : undefined);
      // A second time, or from two mails at once, it is ended as well.
      if (follow) await followsAs(`member:${follow.member}`).remove(follow);
    }),
  };
}

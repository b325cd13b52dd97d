import type { Account } from "@tranche/shared/accounts/account";
import type { LinkState } from "@tranche/shared/accounts/link-store";
import { LINK_MINUTES, type MemberLink } from "@tranche/shared/accounts/member";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { adderOf } from "./adder.ts";
import type { DashboardParts } from "./parts.ts";
import { openRequest } from "./requests.ts";
import { createSignInBy } from "./sign-in-by.ts";

/** An invitation that was accepted: the browser is signed in, or a link that signs in is on its way. */
type AcceptedInvitation = { signed_in: true } | { signed_in: false; email: string; minutes: number };

const secretBody = z.object({ secret: z.string("Send the secret of the invitation.").max(100) });

/**
 * Invitations. They sign nobody in: accepting one mails a link that does to the address that was invited, so one that was forwarded opens
 * nothing. Only where no mails are sent it signs in whoever has it, in the name of the member who handed it over.
 */
export function invitationRequests(parts: DashboardParts) {
  const { invitationsAs, accountsAs, membersAs, signInLinks, limits } = parts;
  const invitations = invitationsAs("dashboard");
  const accounts = accountsAs("dashboard");
  const members = membersAs("dashboard");
  const signInBy = createSignInBy(parts);

  const find = async (secret: string): Promise<{ link: MemberLink; state: LinkState; account: Account }> => {
    const found = await invitations.find(secret);
    const account = found && (await accounts.account(found.link.account));
    if (found && account && account.status !== "deleted") return { ...found, account };
    throw new PageError("link_unusable", "There is no such invitation. A newer one may have taken its place.");
  };
  const unusable = () => new PageError("link_unusable", "This invitation can't be used any more.");

  /** Mails the link that signs in. A failure does not cost the invitation. */
  const mailTo = async (account: Account, email: string): Promise<void> => {
    await limits.spend("mails_to", email);
    try {
      await signInLinks!.sendTo({ account: account.account, name: account.name, email });
    } catch (error) {
      await limits.giveBack("mails_to", email);
      parts.log.error({ err: error }, "the sign-in link of an invitation could not be sent");
      throw new PageError("unavailable", "The mail with your sign-in link could not be sent. Try again in a minute.");
    }
  };

  return {
    /** An invitation, as whoever has its address sees it. A POST that changes nothing: mail scanners open links and run scripts. */
    "POST /invitations/look": openRequest({ body: secretBody }, async ({ ctx, body: { secret } }) => {
      await limits.spend("links_from", ctx.ip);
      const { link, state, account } = await find(secret);
      const member = await members.one(link.account, link.email);
      return {
        state,
        account_name: account.name,
        email: link.email,
        /** Null when they are no member any more. */
        role: member?.role ?? null,
        invited_by: member ? adderOf(member) : null,
        expires_at: link.expires_at,
        used_at: link.used_at,
        /** Whether accepting it sends a sign-in link to the address, or signs in. */
        by_email: signInLinks !== undefined,
      };
    }),

    "POST /invitations/accept": openRequest(
      { body: secretBody },
      async ({ ctx, body: { secret } }): Promise<AcceptedInvitation> => {
        await limits.spend("links_from", ctx.ip);
        const { link, state, account } = await find(secret);
        if (state !== "open") throw unusable();
        ctx.status = signInLinks ? 202 : 201;
        if (signInLinks) {
          await mailTo(account, link.email);
          await invitations.take(secret);
          return { signed_in: false, email: link.email, minutes: LINK_MINUTES };
        }
        await signInBy(ctx, async () => {
          const taken = await invitations.take(secret);
          if (!taken) throw unusable();
          return taken;
        });
        return { signed_in: true };
      },
    ),
  };
}

import type { Membership } from "@tranche/shared/accounts/account";
import type { LinkStore } from "@tranche/shared/accounts/link-store";
import type { Role } from "@tranche/shared/accounts/role";
import type { Logger } from "@tranche/shared/process/logger";
import { invitationMail } from "./invitation-mail.ts";
import type { Mailer } from "./mailer.ts";

/** An invitation that was mailed; or its address, for whoever sends it by hand. */
export type Invited = { mail: "sent" } | { mail: "failed" | "none"; url: string };

/** Invites a member of an account. Earlier invitations of theirs work no longer. */
export type Invite = (
  links: Pick<LinkStore, "create" | "forget">,
  member: { account: string; name: string; email: string; role: Role },
  by: Membership,
) => Promise<Invited>;

/** `mailer` is undefined without a mail server. `urlOf` gives the address of an invitation with this secret. */
export function createInvite({
  mailer,
  urlOf,
  log,
}: {
  mailer: Mailer | undefined;
  urlOf: (secret: string) => string;
  log: Logger;
}): Invite {
  return async (links, { account, name, email, role }, by) => {
    await links.forget(account, email);
    // Without mails an invitation signs in whoever has it, so it ends with the member who handed it over.
    const url = urlOf(await links.create({ account, email }, { audited: true, ...(mailer ? {} : { by }) }));
    if (!mailer) return { mail: "none", url };
    try {
      await mailer.send(invitationMail(email, { account: name, role, by: by.email, url }));
      return { mail: "sent" };
    } catch (error) {
      log.error({ err: error }, "an invitation could not be sent");
      return { mail: "failed", url };
    }
  };
}

import { INVITATION_DAYS } from "@tranche/shared/accounts/member";
import { letter, oneLine } from "./letter.ts";
import type { Mail } from "./mailer.ts";

/** The mail to somebody whom `by` has invited to an account. `url`: the page of the invitation. */
export function invitationMail(
  to: string,
  { account, role, by, url }: { account: string; role: string; by: string; url: string },
): Mail {
  const name = oneLine(account);
  return letter(to, "An invitation to Tranche", [
    `${by} invites you to the account ${name}, as ${role}.`,
    { title: "Look at the invitation", link: `Open the invitation to ${name}`, url },
    `The invitation is for ${to}, and can be used once within ${INVITATION_DAYS} days. It signs nobody in by itself: the link that does comes to this address.`,
    "If you do not know the sender, ignore this mail.",
  ]);
}

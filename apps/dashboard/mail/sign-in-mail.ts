import { LINK_MINUTES } from "@tranche/shared/accounts/member";
import { letter, oneLine } from "./letter.ts";
import type { Mail } from "./mailer.ts";

/** A link of one account. */
export type AccountLink = { account: string; name: string; url: string };

const PROMISE = `Each link works once, within ${LINK_MINUTES} minutes.`;
const WHAT_TO_DO = "Open the link and press the button to sign in.";

/** The mail to somebody who asked for a link. They may be a member of several accounts. */
export function signInMail(to: string, links: readonly AccountLink[]): Mail {
  return letter(to, "Sign in to Tranche", [
    WHAT_TO_DO,
    ...links.map(paragraphOf),
    PROMISE,
    "If you did not ask for this mail, ignore it: nobody can sign in without the link.",
  ]);
}

function paragraphOf({ account, name, url }: AccountLink) {
  const title = `${oneLine(name)} (${account})`;
  return { title, link: `Sign in to ${title}`, url };
}

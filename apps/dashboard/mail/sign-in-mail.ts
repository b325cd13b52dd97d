import { LINK_MINUTES } from "@tranche/shared/members/member";
import type { Mail } from "./mailer.ts";

/** A link of one account. */
export type AccountLink = { account: string; name: string; url: string };

const PROMISE = `Each link works once, within ${LINK_MINUTES} minutes.`;

/** The mail to somebody who asked for a link. They may be a member of several accounts. */
export function signInMail(to: string, links: readonly AccountLink[]): Mail {
  return mailOf(to, "Sign in to Tranche", links, {
    before: ["Open the link and press the button to sign in."],
    after: [PROMISE, "If you did not ask for this mail, ignore it: nobody can sign in without the link."],
  });
}

/** The mail to somebody whom `by` has added to an account. */
export function invitationMail(
  to: string,
  link: AccountLink,
  { by, signInPage }: { by: string; signInPage: string },
): Mail {
  return mailOf(to, "You can sign in to Tranche", [link], {
    before: [`${by} added you to the account ${oneLine(link.name)}.`, "Open the link and press the button to sign in."],
    after: [PROMISE, `Later, ask for a new one at ${signInPage}`],
  });
}

function mailOf(
  to: string,
  subject: string,
  links: readonly AccountLink[],
  { before, after }: { before: string[]; after: string[] },
): Mail {
  const titled = links.map(({ account, name, url }) => ({ title: `${oneLine(name)} (${account})`, url }));
  const text = [...before, ...titled.map(({ title, url }) => `${title}:\n${url}`), ...after].join("\n\n");
  const paragraph = (inner: string) => `<p>${inner}</p>`;
  const html = [
    ...before.map((line) => paragraph(escaped(line))),
    ...titled.map(({ title, url }) => paragraph(`<a href="${escaped(url)}">Sign in to ${escaped(title)}</a>`)),
    ...titled.map(({ url }) => paragraph(`<small>${escaped(url)}</small>`)),
    ...after.map((line) => paragraph(escaped(line))),
  ].join("\n");
  return { to, subject, text: `${text}\n`, html: `<!doctype html>\n<html lang="en"><body>\n${html}\n</body></html>\n` };
}

/** Names come from people: they must not begin a line of their own. */
const oneLine = (text: string): string => text.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);

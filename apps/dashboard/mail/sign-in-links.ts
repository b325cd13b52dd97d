import type { Logger } from "@tranche/shared/process/logger";
import type { AccountStore } from "@tranche/shared/accounts/account-store";
import type { LinkStore } from "@tranche/shared/accounts/link-store";
import type { MemberStore } from "@tranche/shared/accounts/member-store";
import type { Mailer } from "./mailer.ts";
import { type AccountLink, signInMail } from "./sign-in-mail.ts";

/** Sends links by mail. */
export type SignInLinks = {
  /** Sends one mail with a link for each account that somebody is a member of; nothing to anybody else. Never rejects. */
  sendLater(email: string): void;
  /** Sends one mail with a link to a member of an account. Rejects when the mail server does not take it. */
  sendTo(member: { account: string; name: string; email: string }): Promise<void>;
  /** Resolves when no mail is under way any more. */
  settled(): Promise<void>;
};

/** Mails under way at once. Past this, requests for more are dropped and logged. */
const MOST = 500;

export function createSignInLinks(parts: {
  mailer: Mailer;
  accounts: Pick<AccountStore, "account">;
  members: Pick<MemberStore, "ofEmail">;
  links: Pick<LinkStore, "create">;
  /** The address of a link with this secret. */
  signInUrl: (secret: string) => string;
  log: Logger;
}): SignInLinks {
  const { mailer, accounts, members, links, signInUrl, log } = parts;
  const underWay = new Set<Promise<void>>();

  const send = async (email: string) => {
    const made: AccountLink[] = [];
    for (const { account } of await members.ofEmail(email)) {
      const found = await accounts.account(account);
      if (!found || found.status === "deleted") continue;
      made.push({ account, name: found.name, url: signInUrl(await links.create({ account, email })) });
    }
    if (made.length > 0) await mailer.send(signInMail(email, made));
  };

  return {
    sendLater(email) {
      if (underWay.size >= MOST) return log.error({ underWay: MOST }, "too many sign-in mails are under way");
      const work = send(email)
        .catch((error: Error) => log.error({ err: error }, "a sign-in mail could not be sent"))
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async sendTo({ account, name, email }) {
      const url = signInUrl(await links.create({ account, email }));
      await mailer.send(signInMail(email, [{ account, name, url }]));
    },
    settled: async () => void (await Promise.all(underWay)),
  };
}

import { hash } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import type { IndexNames } from "../engines/search/index-names.ts";
import { wholeDocuments } from "../engines/search/retry-forever.ts";

/** The people who have signed in to an account by a link of their own. Mails go to nobody else, because anybody can be added. */
export type SignIns = {
  /** Notes a sign-in by a link. One that another member has made says nothing about whose address it is. */
  note(link: Link): Promise<void>;
  /** Those of these addresses that have. */
  among(emails: readonly string[], account: string): Promise<ReadonlySet<string>>;
};

type SignIn = { kind: "sign-in"; account: string; email: string };
/** `by`: the member who has made the link, if one has. */
type Maker = { by?: { email: string } | undefined };
type Link = { account: string; email: string } & Maker;

const isOwn = (email: string, { by }: Maker): boolean => by === undefined || by.email === email;

/** The document that notes who has signed in to an account by a link of their own. */
export const signInNoteId = (account: string, email: string): string => `sign-in:${account}:${hash("sha256", email)}`;

/** Kept in the dashboard's own index. */
export function createSignIns(client: Client, names: Pick<IndexNames, "dashboard">): SignIns {
  return {
    async note({ account, email, by }) {
      if (!isOwn(email, { by })) return;
      const document: SignIn = { kind: "sign-in", account, email };
      await client.index({ index: names.dashboard, id: signInNoteId(account, email), document, refresh: true });
    },
    async among(emails, account) {
      if (emails.length === 0) return new Set();
      const ids = emails.map((email) => signInNoteId(account, email));
      const notes = wholeDocuments(await client.mget({ index: names.dashboard, ids, _source: false }));
      return new Set(emails.filter((_, n) => notes[n]!.found));
    },
  };
}

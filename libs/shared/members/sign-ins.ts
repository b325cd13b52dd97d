import { hash } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import type { IndexNames } from "../search/index-names.ts";
import { searchAll } from "../search/search-all.ts";

/** Who has signed in to an account by a link of their own. Mails go to nobody else, because anybody can be added. */
export type SignIns = {
  /** Notes a sign-in by a link. One that another member has made says nothing about whose address it is. */
  note(link: Link): Promise<void>;
  /** The addresses of those who have, members or not. */
  ofAccount(account: string): Promise<ReadonlySet<string>>;
};

type SignIn = { kind: "sign-in"; account: string; email: string };
/** `by`: the member who has made the link, if one has. */
type Maker = { by?: { email: string } | undefined };
type Link = { account: string; email: string } & Maker;
type Session = { member: string } & Maker;

const isOwn = (email: string, { by }: Maker): boolean => by === undefined || by.email === email;

/** Kept in the dashboard's own index. Sessions, which are kept for 100 days, tell of those from before there were notes. */
export function createSignIns(client: Client, names: Pick<IndexNames, "accounts" | "dashboard">): SignIns {
  const of = (kind: string, account: string) => ({ bool: { filter: [{ term: { kind } }, { term: { account } }] } });
  return {
    async note({ account, email, by }) {
      if (!isOwn(email, { by })) return;
      const document: SignIn = { kind: "sign-in", account, email };
      const id = `sign-in:${account}:${hash("sha256", email)}`;
      await client.index({ index: names.dashboard, id, document, refresh: true });
    },
    async ofAccount(account) {
      const emails = new Set<string>();
      const noted = { index: names.dashboard, query: of("sign-in", account), sort: ["email"], source: true };
      for await (const page of searchAll<SignIn>(client, noted)) for (const { email } of page) emails.add(email);
      const sessions = { index: names.accounts, query: of("session", account), sort: ["key_id"], source: true };
      for await (const page of searchAll<Session>(client, sessions))
        for (const { member, by } of page) if (isOwn(member, { by })) emails.add(member);
      return emails;
    },
  };
}

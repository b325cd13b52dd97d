import { hash, randomBytes } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { AccountError } from "../accounts/account.ts";
import { LINK_MINUTES, type Member, type SignInLink } from "./member.ts";

/** Members of accounts and the links by which they sign in. Rejects with an AccountError for people. */
export type MemberStore = {
  /** Adding somebody again changes nothing. */
  add(input: { account: string; email: string }): Promise<Member>;
  remove(account: string, email: string): Promise<void>;
  /** The members of an account, by address. */
  ofAccount(account: string): Promise<Member[]>;
  /** The accounts that somebody is a member of. */
  ofEmail(email: string): Promise<Member[]>;
  /** A new link of a member; returns the secret of its address. */
  createLink(input: { account: string; email: string }): Promise<string>;
  /** What a link is for, whether it can still be used or not; undefined when there is none. */
  link(secret: string): Promise<SignInLink | undefined>;
  /** Uses a link up. Of several at once one succeeds; the others, and a link that is used or expired, give undefined. */
  takeLink(secret: string): Promise<SignInLink | undefined>;
};

const memberId = (account: string, email: string) => `member:${account}:${hash("sha256", email)}`;
const linkId = (secret: string) => `link:${hash("sha256", secret)}`;

/** Kept in the dashboard's own index. `actor` is who does it; `now` is real time in ms. */
export function createMemberStore(
  client: Client,
  index: string,
  { actor = "unknown", now = Date.now }: { actor?: string; now?: () => number } = {},
): MemberStore {
  const at = (ms: number) => new Date(ms).toISOString();
  const members = async (query: object): Promise<Member[]> => {
    const filter = [{ term: { kind: "member" } }, query];
    const found = await client.search<Member>({ index, size: 10_000, query: { bool: { filter } } });
    return found.hits.hits.map((hit) => hit._source!).toSorted((a, b) => (a.email < b.email ? -1 : 1));
  };
  const read = (secret: string) => client.get<SignInLink>({ index, id: linkId(secret) }, { ignore: [404] });
  const usable = (link: SignInLink) => link.used_at === null && Date.parse(link.expires_at) > now();

  return {
    async add({ account, email }) {
      const id = memberId(account, email);
      const document: Member = { kind: "member", account, email, added_at: at(now()), added_by: actor };
      const answer = await client.index(
        { index, id, document, op_type: "create", refresh: true },
        { ignore: [409], meta: true },
      );
      if (answer.statusCode !== 409) return document;
      return (await client.get<Member>({ index, id }))._source!;
    },
    async remove(account, email) {
      const id = memberId(account, email);
      const { result } = await client.delete({ index, id, refresh: true }, { ignore: [404] });
      if (result === "not_found") throw new AccountError(`${email} is not a member of the account '${account}'.`);
    },
    ofAccount: (account) => members({ term: { account } }),
    ofEmail: (email) => members({ term: { email } }),
    async createLink({ account, email }) {
      const secret = randomBytes(24).toString("base64url");
      const document: SignInLink = {
        kind: "link",
        account,
        email,
        created_at: at(now()),
        expires_at: at(now() + LINK_MINUTES * 60_000),
        used_at: null,
      };
      await client.index({ index, id: linkId(secret), document, op_type: "create", refresh: true });
      return secret;
    },
    async link(secret) {
      const found = await read(secret);
      return found.found ? found._source : undefined;
    },
    async takeLink(secret) {
      const found = await read(secret);
      const link = found.found ? found._source! : undefined;
      if (!link || !usable(link)) return undefined;
      const document = { ...link, used_at: at(now()) };
      const guard = { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! };
      const answer = await client.index(
        { index, id: linkId(secret), document, ...guard },
        { ignore: [409], meta: true },
      );
      return answer.statusCode === 409 ? undefined : document;
    },
  };
}

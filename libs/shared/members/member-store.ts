import { hash } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { AccountError } from "../accounts/account.ts";
import type { AuditEntry } from "../accounts/audit.ts";
import { createAuditedDocuments } from "../accounts/documents.ts";
import { assertNoneFailed } from "../search/bulk-results.ts";
import type { IndexNames } from "../search/index-names.ts";
import type { Member } from "./member.ts";

/** Members of accounts. Changes go to the audit log. Rejects with an AccountError for people. */
export type MemberStore = {
  /** Adding somebody again changes nothing. */
  add(input: { account: string; email: string }): Promise<Member>;
  /**
   * False when they were no member. With `keepLast`, somebody always stays: of several removals at once that would leave nobody, at
   * least one rejects.
   */
  remove(account: string, email: string, options?: { keepLast?: boolean }): Promise<boolean>;
  has(account: string, email: string): Promise<boolean>;
  /** The members of an account, by address. */
  ofAccount(account: string): Promise<Member[]>;
  /** The accounts that somebody is a member of. */
  ofEmail(email: string): Promise<Member[]>;
};

const memberId = (account: string, email: string) => `member:${account}:${hash("sha256", email)}`;

/** Kept in the dashboard's own index. `actor` is for the audit log; `now` is real time in ms. */
export function createMemberStore(
  client: Client,
  names: Pick<IndexNames, "accounts" | "dashboard">,
  { actor = "unknown", now = Date.now }: { actor?: string; now?: () => number } = {},
): MemberStore {
  const index = names.dashboard;
  const { entry } = createAuditedDocuments(client, names.accounts, { actor, now });

  const members = async (query: object): Promise<Member[]> => {
    const filter = [{ term: { kind: "member" } }, query];
    const found = await client.search<Member>({ index, size: 10_000, query: { bool: { filter } } });
    return found.hits.hits.map((hit) => hit._source!).toSorted((a, b) => (a.email < b.email ? -1 : 1));
  };
  const read = (id: string) => client.get<Member>({ index, id }, { ignore: [404] });
  /** Writes a change and its audit entry in one request; returns the status of the change. */
  const write = async (change: object[], noted: AuditEntry): Promise<number> => {
    const operations = [...change, { index: { _index: names.accounts, _id: `audit:${noted.audit_id}` } }, noted];
    const answer = await client.bulk({ refresh: true, operations });
    assertNoneFailed(answer, [409]);
    return Object.values(answer.items[0]!)[0]!.status;
  };
  const create = (member: Member, details: Record<string, string>) =>
    write(
      [{ create: { _index: index, _id: memberId(member.account, member.email) } }, member],
      entry("member.add", member.account, { details }),
    );

  const store: MemberStore = {
    async add({ account, email }) {
      const found = await read(memberId(account, email));
      if (found.found) return found._source!;
      const member: Member = {
        kind: "member",
        account,
        email,
        added_at: new Date(now()).toISOString(),
        added_by: actor,
      };
      await create(member, { email });
      return member;
    },
    async remove(account, email, { keepLast = false } = {}) {
      const id = memberId(account, email);
      const found = await read(id);
      if (!found.found) return false;
      const last = new AccountError(`${email} is the last member of the account. Add somebody else first.`);
      if (keepLast && (await store.ofAccount(account)).length < 2) throw last;
      const status = await write(
        [{ delete: { _index: index, _id: id } }],
        entry("member.remove", account, { details: { email } }),
      );
      if (status !== 404 && keepLast && (await store.ofAccount(account)).length === 0) {
        await create(found._source!, { email, reason: "the last member stays" });
        throw last;
      }
      return status !== 404;
    },
    has: async (account, email) => (await read(memberId(account, email))).found,
    ofAccount: (account) => members({ term: { account } }),
    ofEmail: (email) => members({ term: { email } }),
  };
  return store;
}

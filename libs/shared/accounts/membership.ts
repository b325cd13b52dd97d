import { hash } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { wholeDocuments } from "../engines/search/retry-forever.ts";
import type { Membership, SessionRecord } from "./account.ts";

/** The memberships of an account that hold at a moment. */
type Memberships = {
  hold: (needed: readonly Membership[]) => boolean;
  /** The number of the account's last removal or sign-out everywhere; -1 before the first. It was read before the members were. */
  signOuts: number;
};

/** The document that is written with every removal and sign-out everywhere of an account. Its sequence number orders them. */
export const signOutsId = (account: string): string => `signouts:${account}`;

export const memberDocumentId = (account: string, email: string): string =>
  `member:${account}:${hash("sha256", email)}`;

/** The memberships that a session or a link needs: that of its member, and that of the member who made its link. */
export const membershipsOf = ({ email, stamp, by }: Membership & { by?: Membership }): Membership[] => [
  { email, stamp },
  ...(by ? [by] : []),
];

/** The same for a session, which names its member otherwise. */
export const membershipsOfSession = ({ member, ...rest }: SessionRecord): Membership[] =>
  membershipsOf({ email: member, ...rest });

/** Reads the memberships of these members in real time. `index`: the dashboard's. */
export async function readMemberships(
  client: Client,
  index: string,
  { account, emails, withinMs }: { account: string; emails: readonly string[]; withinMs?: number },
): Promise<Memberships> {
  // In this order: a change writes the member first and the sign-out after it.
  const ids = [signOutsId(account), ...emails.map((email) => memberDocumentId(account, email))];
  const options = withinMs === undefined ? {} : { requestTimeout: withinMs };
  const [signOuts, ...members] = wholeDocuments(await client.mget<Membership>({ index, ids }, options));
  const held = new Map(members.flatMap((found, n) => (found.found ? [[emails[n]!, found._source!.stamp]] : [])));
  return {
    hold: (needed) => needed.every(({ email, stamp }) => held.has(email) && held.get(email) === stamp),
    signOuts: signOuts!.found ? signOuts!._seq_no! : -1,
  };
}

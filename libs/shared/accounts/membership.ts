import { hash } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { wholeDocuments } from "../engines/search/retry-forever.ts";
import type { AccessToken, Membership, SessionRecord } from "./account.ts";
import { type Grant, grantDocumentId } from "./grant.ts";
import { adminsOf, lowest, type Role, roleOf, type Roles } from "./role.ts";

/** The memberships of an account that hold at a moment. */
type Memberships = {
  hold: (needed: readonly Membership[]) => boolean;
  /** The rights that these members have together. */
  role: (needed: readonly Membership[]) => Role;
  /** The addresses of the account's admins; none where all members are admins because they are from before there were roles. */
  admins: string[];
  /** The number of the account's last removal or sign-out everywhere; -1 before the first. It was read before the members were. */
  signOuts: number;
  /** The grant that was asked for, if there is one. It was read after the sign-out as well. */
  grant: Grant | undefined;
};

/** The document that is written with every removal, sign-out everywhere and end of a grant of an account. Its sequence number orders them. */
export const signOutsId = (account: string): string => `signouts:${account}`;

/** The document with the roles of an account's members. One document, so that a change can't take the last admin. */
export const rolesId = (account: string): string => `roles:${account}`;

export const memberDocumentId = (account: string, email: string): string =>
  `member:${account}:${hash("sha256", email)}`;

/** The memberships that a session, a link or a grant needs: that of its member, and that of the member who made its link. */
export const membershipsOf = ({ email, stamp, by }: Membership & { by?: Membership }): Membership[] => [
  { email, stamp },
  ...(by ? [by] : []),
];

/** The same for a session or an access token, which name their member otherwise. */
export const membershipsOfSession = ({ member, ...rest }: SessionRecord | AccessToken): Membership[] =>
  membershipsOf({ email: member, ...rest });

/** Reads the memberships of these members, and a grant by its id, in real time. `index`: the dashboard's. */
export async function readMemberships(
  client: Client,
  index: string,
  {
    account,
    emails,
    grant,
    withinMs,
  }: { account: string; emails: readonly string[]; grant?: string | undefined; withinMs?: number },
): Promise<Memberships> {
  // In this order: a change writes the member or the grant first and the sign-out after it.
  const ids = [
    signOutsId(account),
    rolesId(account),
    ...emails.map((email) => memberDocumentId(account, email)),
    ...(grant === undefined ? [] : [grantDocumentId(grant)]),
  ];
  const options = withinMs === undefined ? {} : { requestTimeout: withinMs };
  const read = await client.mget<Membership | Grant | { roles: Roles }>({ index, ids }, options);
  const [signOuts, ofRoles, ...found] = wholeDocuments(read);
  const { roles } = (ofRoles!._source ?? {}) as { roles?: Roles };
  const held = new Map(
    emails.flatMap((email, n) => (found[n]!.found ? [[email, (found[n]!._source as Membership).stamp]] : [])),
  );
  return {
    role: (needed) => lowest(needed.map(({ email }) => roleOf(roles, email))),
    admins: roles === undefined ? [] : adminsOf(roles),
    hold: (needed) => needed.every(({ email, stamp }) => held.has(email) && held.get(email) === stamp),
    signOuts: signOuts!.found ? signOuts!._seq_no! : -1,
    grant: found[emails.length]?._source as Grant | undefined,
  };
}

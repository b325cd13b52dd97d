import type { MonthCount } from "./month-count-backup.ts";
import type { Role } from "./role.ts";
import type { Throttle } from "./throttle.ts";

export type Account = {
  kind: "account";
  /** The handle: 8 characters that all of its keys contain. */
  account: string;
  name: string;
  plan: string;
  status: "active" | "suspended" | "deleted";
  created_at: string;
  /** Stays stored when its time has come. */
  throttle?: Throttle | undefined;
};

/** The stored facts about an API key, never the key itself. */
export type KeyRecord = {
  kind: "key";
  key_id: string;
  account: string;
  key_hash: string;
  prefix: string;
  name: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  /** Id of the key that takes its place; missing until it was rotated. */
  replaced_by?: string;
  /** To the minute; missing until it was used. */
  last_used_at?: string;
};

/**
 * What a session or a sign-in link rests on: a member, and the stamp that the member had when it was made. A member who signs out
 * everywhere gets another stamp, and so does one who is added again, so whatever carries the old one is over.
 */
export type Membership = { email: string; stamp: string };

/**
 * A session in the dashboard: a key that is in a cookie and expires by itself. Requests from the dashboard are admitted with it like any
 * other key's, so they count in the limits of its account.
 */
export type SessionRecord = Omit<KeyRecord, "kind" | "expires_at"> & {
  kind: "session";
  /** The e-mail address of the member that signed in. */
  member: string;
  /** The stamp that the member had then. */
  stamp: string;
  /** The member who made the link, if it was one. */
  by?: Membership | undefined;
  expires_at: string;
};

/**
 * A feed link: a key that is in a URL and opens the newest changes of one saved search, nothing else. `last_used_at` and the limits
 * of the account are those of a key.
 */
export type FeedLink = Omit<KeyRecord, "kind"> & {
  kind: "feed";
  /** Id of the saved search. */
  search: string;
  /** E-mail address of a member, or the operator who created it. */
  created_by: string;
};

/**
 * An access token of a connected application: a key that opens `/mcp` alone and expires by itself. Its `key_id` is the id of the grant, so
 * that all tokens of an application count as one. It is over when the grant is, and when a membership that it needs is.
 */
export type AccessToken = Omit<SessionRecord, "kind"> & { kind: "oauth" };

export const accountDocumentId = (handle: string): string => `account:${handle}`;

/** Keys, sessions, feed links and access tokens are found by the hash of what the caller sends. */
export const keyDocumentId = (hash: string): string => `key:${hash}`;

/** The rights of a session: as much as both its member and the maker of its link may. `admins`: the members who can change it; none where all can. */
export type Rights = { role: Role; admins: readonly string[] };

/**
 * A caller: a key and its account. Versions order readings of the same document: the higher version is newer.
 */
export type Caller = {
  account: Account;
  /** A session or an access token is revoked when something that it rests on is over. */
  key: KeyRecord | SessionRecord | FeedLink | AccessToken;
  /** `signOuts`: of a session or an access token, the last sign-out of its account when it was read. */
  versions: { account: number; key: number; signOuts?: number };
  /** Of a session: what it may do, and who may change that. */
  rights?: Rights;
  /** The account's requests of a month, as they were last kept. */
  month?: MonthCount;
};

/** Raised for people: there is no such account or key, or it can't be changed like that. */
export class AccountError extends Error {
  override name = "AccountError";
}

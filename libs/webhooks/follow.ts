import type { WebhookList } from "./webhook.ts";

/** How often somebody is told. At once: a quarter of an hour after the last mail at the earliest. */
export const FREQUENCIES = ["at_once", "daily", "weekly"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** The subject of a follow: a saved search, an investor, or companies. */
export type Followed =
  | { kind: "search"; id: string }
  | { kind: "investor"; id: string }
  | { kind: "companies"; ids: string[] };

/** Companies that one follow holds. */
export const MAX_COMPANIES = 50;
/** Follows that a member has in an account. */
export const MAX_FOLLOWS = 100;

/** Follows of all members of an account together. */
export const MAX_FOLLOWS_OF_ACCOUNT = 2000;
/** Characters of an id that is followed. */
export const MAX_ID = 100;

/** A member who gets the changes of a filtered list by mail, or a channel that gets them in Slack. Stored with the accounts. */
export type Follow = {
  kind: "follow";
  follow_id: string;
  account: string;
  /** E-mail address of the member whose follow it is, and to whom the mails go. */
  member: string;
  /** The address of an incoming webhook of Slack, sealed as the secrets of webhooks are; missing for one by mail. */
  slack?: string;
  /** The name of the subject, for people. */
  name: string;
  of: Followed;
  list: WebhookList;
  /** Filters as after the `?` of a request to the list, in their canonical form. */
  query: string;
  every: Frequency;
  status: "active" | "paused";
  /** Why it is paused, for people. */
  reason: string | null;
  /** The secret of the links that end it. It can do nothing else. */
  unsubscribe: string;
  created_at: string;
  changed_at: string;
};

/** Whether a follow has ended with the membership that it was made in: its member was removed, or removed and added again since. */
export const hasEnded = (
  { created_at }: Pick<Follow, "created_at">,
  member: { added_at: string } | undefined,
): boolean => member === undefined || member.added_at > created_at;

/** A follow without what only its member needs. */
export type ActiveFollow = Pick<Follow, "follow_id" | "account" | "list" | "query" | "slack" | "every" | "changed_at">;

/** How a follow tells. */
export type Way = "mail" | "slack";
export const wayOf = ({ slack }: Pick<Follow, "slack">): Way => (slack === undefined ? "mail" : "slack");

export const followDocumentId = (id: string): string => `follow:${id}`;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Digests of one follow in 24 hours. */
export const MAX_A_DAY = 20;
const QUARTER_MS = HOUR_MS / 4;
/** The hour of the day (UTC) at which digests are made. */
const DIGEST_HOUR = 7;
const MONDAY = 1;

/** When (ms) the next digest may be made, after those of the last 24 hours: a quarter of an hour after the last, and 20 in any 24 hours. */
export function earliestDigestAt(made: readonly number[]): number {
  const afterLast = made.length === 0 ? 0 : made.at(-1)! + QUARTER_MS;
  return made.length < MAX_A_DAY ? afterLast : Math.max(afterLast, made.at(-MAX_A_DAY)! + DAY_MS);
}

/** The first time (ms) after `now` (ms) at which a digest is due. `sent`: times (ms) of the mails of the last 24 hours, the oldest first. */
export function nextDigestAt(every: Frequency, now: number, sent: readonly number[] = []): number {
  if (every === "at_once") return Math.max(now + QUARTER_MS, earliestDigestAt(sent));
  const today = Math.floor(now / DAY_MS) * DAY_MS + DIGEST_HOUR * HOUR_MS;
  let next = today > now ? today : today + DAY_MS;
  while (every === "weekly" && new Date(next).getUTCDay() !== MONDAY) next += DAY_MS;
  return next;
}

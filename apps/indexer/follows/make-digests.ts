import { createHash, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { FundingRow } from "@tranche/read-models/documents/funding";
import { atHorizon, type FeedPosition } from "@tranche/read-models/feed/position";
import type { AccountStore } from "@tranche/shared/accounts/account-store";
import { takeLease } from "@tranche/shared/engines/redis/lease";
import { type FeedState, hasMoved, readFeedState } from "@tranche/shared/protocol/feed/state";
import type { DigestStore } from "@tranche/webhooks/digest-store";
import { type ActiveFollow, earliestDigestAt, nextDigestAt, wayOf } from "@tranche/webhooks/follow";
import type { FollowStore } from "@tranche/webhooks/follow-store";
import type { WebhookFilters } from "@tranche/webhooks/followed-lists";
import type { ProgressStore, ReadProgress } from "@tranche/webhooks/progress";
import { FEED_OF_LIST, WEBHOOK_LISTS, WebhookError, type WebhookList } from "@tranche/webhooks/webhook";
import { nextChanges } from "../webhooks/changes.ts";
import { matching } from "../webhooks/match.ts";
import type { WebhookParts } from "../webhooks/parts.ts";

const DAY_MS = 86_400_000;
/** The position of a follow that waits for its time is read again after so many looks. */
const RESTS_FOR_LOOKS = 4;
/** Pages of changes in one digest, each of up to 100. What comes after them is in the next one. */
const MOST_PAGES = 10;
/** A follow whose last digest is not mailed yet is looked at again after so long. */
const UNSENT_MS = 5 * 60_000;
/** Rows that a digest shows. The others are counted. */
const MOST_ROWS = 30;

export type DigestParts = Pick<WebhookParts, "client" | "redis" | "namespace" | "now" | "log"> & {
  accounts: Pick<AccountStore, "account">;
  follows: FollowStore;
  progress: ProgressStore;
  digests: DigestStore;
  filters: WebhookFilters;
  lookEveryMs: number;
};

/** When there is nothing to do for a follow: until a time (ms), or while the feed stands where it stood when its changes were read. */
type Idle = { changed_at: string; read_at: number; until: number; horizon: number };
/** The follows that a process knows by their ids, and the state of the feeds when it last looked. */
type Known = { idle: Map<string, Idle>; seen: Map<WebhookList, FeedState> };

/**
 * Makes the digests of follows, until it is aborted. A digest is stored under the position that it begins at, and has the one at which the next begins,
 * before the follow's own position moves on. Whoever goes on after a kill finds it there, so each change is in one digest.
 */
export async function makeDigests(parts: DigestParts, until: AbortSignal): Promise<void> {
  const lease = { redis: parts.redis, key: `{${parts.namespace}}:follows`, holder: randomUUID() };
  const known: Known = { idle: new Map(), seen: new Map() };
  while (!until.aborted) {
    try {
      // One indexer is enough. Two at once would make the same digests.
      if (await takeLease(lease, 2 * parts.lookEveryMs)) await look(parts, known, until);
    } catch (error) {
      parts.log.warn({ reason: (error as Error).message }, "digests of follows can't be made; trying again");
    }
    await pause(parts.lookEveryMs, undefined, { signal: until }).catch(() => {});
  }
}

async function look(parts: DigestParts, { idle, seen }: Known, until: AbortSignal): Promise<void> {
  const active = await parts.follows.active();
  for (const list of WEBHOOK_LISTS) {
    const state = await readFeedState(parts.redis, parts.namespace, FEED_OF_LIST[list]);
    if (!state) continue;
    const follows = active.filter((follow) => follow.list === list);
    await skipUnchanged(parts, follows, { idle, before: seen.get(list), state });
    seen.set(list, state);
    for (const follow of follows) {
      if (until.aborted) return;
      const rest = idle.get(follow.follow_id);
      const isSame = rest?.changed_at === follow.changed_at && parts.now() - rest.read_at < DAY_MS / 2;
      if (isSame && (rest.until > parts.now() || rest.horizon === state.horizon)) continue;
      try {
        const waits = await makeNext(parts, follow, state);
        idle.set(follow.follow_id, {
          changed_at: follow.changed_at,
          read_at: parts.now(),
          until: Math.min(waits ?? 0, parts.now() + RESTS_FOR_LOOKS * parts.lookEveryMs),
          horizon: waits === undefined ? state.horizon : 0,
        });
      } catch (error) {
        parts.log.warn({ follow: follow.follow_id, reason: (error as Error).message }, "a digest can't be made now");
      }
    }
  }
}

/** Follows that had nothing to tell at the state before, and have nothing in what came since: hundreds are asked for in one search. */
async function skipUnchanged(
  parts: DigestParts,
  follows: readonly ActiveFollow[],
  { idle, before, state }: { idle: Known["idle"]; before: FeedState | undefined; state: FeedState },
): Promise<void> {
  const comparable = before?.index === state.index && before.epoch === state.epoch && hasMoved(before, state);
  if (!comparable) return;
  const caughtUp = follows.filter(({ follow_id }) => idle.get(follow_id)?.horizon === before.horizon);
  const asked = caughtUp.map(({ follow_id, query }) => ({ webhook_id: follow_id, query }));
  const [first] = caughtUp;
  if (!first) return;
  const range = { index: state.index, after: before.horizon, upTo: state.horizon };
  const news = new Set(await matching(parts, first.list, asked, range));
  for (const { follow_id } of caughtUp) {
    if (!news.has(follow_id)) idle.set(follow_id, { ...idle.get(follow_id)!, horizon: state.horizon });
  }
}

/** Makes the digest of a follow, if it is due. Returns until when (ms) it need not be looked at; undefined when all its changes were read. */
async function makeNext(parts: DigestParts, follow: ActiveFollow, state: FeedState): Promise<number | undefined> {
  const { follow_id, account } = follow;
  const read = await parts.progress.read(follow_id);
  if (!read) return stop(parts, follow, "Where it stood is not known, because the data was restored. Follow it again.");
  const { from, next_attempt_at: next } = read.progress;
  if (next !== null && Date.parse(next) > parts.now()) return Date.parse(next);
  const owner = await parts.accounts.account(account);
  if (owner?.status === "deleted") await parts.follows.remove(follow);
  if (owner?.status !== "active") return parts.now() + parts.lookEveryMs;
  if (from === "now" || from === "start") {
    await parts.progress.write(read, { from: atHorizon(state.epoch, state.horizon) });
    return undefined;
  }
  const changes = await changesAfter(parts, follow, from, state);
  if (changes === "closed") return parts.now() + parts.lookEveryMs;
  if (changes === "expired") {
    return stop(parts, follow, "It has told nothing for more than 30 days, or the data was restored. Follow it again.");
  }
  if (typeof changes === "object" && "problem" in changes) return stop(parts, follow, changes.problem);
  return changes.rows.length + changes.removed === 0
    ? passOver(parts, read, follow, changes.next)
    : tell(parts, { read, follow, from }, changes);
}

type Changes = { rows: FundingRow[]; more: number; removed: number; next: FeedPosition };

/** The changes of a follow after a position, as far as one digest tells them. */
async function changesAfter(
  parts: DigestParts,
  { list, query }: ActiveFollow,
  from: FeedPosition,
  state: FeedState,
): Promise<Changes | "closed" | "expired" | { problem: string }> {
  const found: Changes = { rows: [], more: 0, removed: 0, next: from };
  let filters;
  try {
    filters = parts.filters.filters(list, query);
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    return { problem: `Its filters are not understood any more: ${error.message}` };
  }
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await nextChanges(parts, { list, filters }, found.next, state);
    if (typeof page === "string") return page;
    for (const text of page.changes) {
      const change = JSON.parse(text) as { change: "upsert" | "remove"; row?: FundingRow };
      if (change.change === "remove") found.removed++;
      else if (found.rows.length < MOST_ROWS) found.rows.push(change.row!);
      else found.more++;
    }
    found.next = page.next;
    if (!page.hasMore) break;
  }
  return found;
}

/** Nothing to tell. The position is stored when the next look is not soon, and once a day, so that it never expires. */
async function passOver(
  parts: DigestParts,
  read: ReadProgress,
  { every }: ActiveFollow,
  next: FeedPosition,
): Promise<number | undefined> {
  const now = parts.now();
  const due = every === "at_once" ? undefined : nextDigestAt(every, now);
  if (due !== undefined || now - Date.parse(read.progress.at) > DAY_MS) {
    const next_attempt_at = due === undefined ? null : new Date(due).toISOString();
    await parts.progress.write(read, { from: next, next_attempt_at });
  }
  return due;
}

async function tell(
  parts: DigestParts,
  { read, follow, from }: { read: ReadProgress; follow: ActiveFollow; from: FeedPosition },
  { rows, more, removed, next }: Changes,
): Promise<number> {
  const now = parts.now();
  const { made, isUnsent } = await parts.digests.timesOf(follow.follow_id, new Date(now - DAY_MS));
  // Members change how often they are told, so the limits count here too. The changes are in the next digest.
  const earliest = isUnsent ? now + UNSENT_MS : earliestDigestAt(made);
  if (earliest > now) {
    await parts.progress.write(read, { next_attempt_at: new Date(earliest).toISOString() });
    return earliest;
  }
  const digest = await parts.digests.make(
    {
      kind: "digest",
      webhook: follow.follow_id,
      account: follow.account,
      way: wayOf(follow),
      at: new Date(now).toISOString(),
      rows,
      more,
      removed,
      next,
      next_at: new Date(nextDigestAt(follow.every, now, [...made, now])).toISOString(),
      claimed_at: null,
    },
    placeOf(from),
  );
  await parts.progress.write(read, { from: digest.next, next_attempt_at: digest.next_at });
  return Date.parse(digest.next_at);
}

const placeOf = (position: FeedPosition): string =>
  createHash("sha256").update(JSON.stringify(position)).digest("base64url").slice(0, 22);

async function stop(
  { follows, log }: DigestParts,
  { follow_id, account }: ActiveFollow,
  reason: string,
): Promise<undefined> {
  await follows.change(follow_id, { status: "paused", reason });
  log.warn({ follow: follow_id, account, reason }, "a follow is paused");
}

import { randomBytes, randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { assertStays } from "@tranche/shared/accounts/assert-stays";
import { createAuditedDocuments } from "@tranche/shared/accounts/documents";
import { assertNoneFailed } from "@tranche/shared/engines/search/bulk-results";
import { deleteWhere } from "@tranche/shared/engines/search/delete-where";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import {
  type ActiveFollow,
  type Follow,
  followDocumentId,
  MAX_FOLLOWS,
  MAX_FOLLOWS_OF_ACCOUNT,
  nextDigestAt,
  type Way,
  wayOf,
} from "./follow.ts";
import { createProgressStore, type From } from "./progress.ts";
import { sealSecret } from "./secrets.ts";
import { WebhookError } from "./webhook.ts";

/** The follows of all accounts, by mail and in Slack. Every change goes to the audit log, without what is followed: that is the member's own. Rejects with a WebhookError for people. */
export type FollowStore = {
  /** `from`: the position from which on changes are told. */
  create(
    input: Pick<Follow, "account" | "member" | "name" | "of" | "list" | "query" | "every"> & {
      /** The address of the incoming webhook of Slack, and the key that it is sealed with. */
      slack?: { url: string; key: Buffer };
    },
    options: { from: From; mayStay?: (id: string) => Promise<void> },
  ): Promise<Follow>;
  /** Rejects when a member or an account has no room for one more. */
  assertRoom(of: Pick<Follow, "account" | "member">): Promise<void>;
  find(id: string): Promise<Follow | undefined>;
  /** Those of a member in an account, the oldest first. */
  ofMember(account: string, member: string): Promise<Follow[]>;
  /** Those of an account, the oldest first. */
  ofAccount(account: string): Promise<FollowOfAccount[]>;
  /** All that are active. */
  active(): Promise<ActiveFollow[]>;
  /** Rejects when there is none. */
  change(id: string, next: Partial<Pick<Follow, "every" | "status" | "reason">>): Promise<Follow>;
  /** Gives the follows of a saved search its new filters and name. */
  changeOfSearch(account: string, search: string, next: Pick<Follow, "name" | "query">): Promise<void>;
  /** Ends follows. Ending one that is gone changes nothing. */
  remove(...follows: readonly Ended[]): Promise<void>;
  removeOfSearch(account: string, search: string): Promise<void>;
  /** Ends the follows of a member. `way`: only those that tell that way. */
  removeOfMember(account: string, member: string, way?: Way): Promise<void>;
};

/** A follow as far as ending it needs it. With its member, the log says whose it was. */
type Ended = Pick<Follow, "follow_id" | "account"> & Partial<Pick<Follow, "member">>;

/** Follows that are read at once. Each may have many ids. */
const PAGE = 200;
const OF_ACTIVE: readonly (keyof ActiveFollow)[] = [
  "follow_id",
  "account",
  "list",
  "query",
  "slack",
  "every",
  "changed_at",
];
const OF_ACCOUNT = ["follow_id", "member", "name", "slack", "every", "status", "reason", "created_at"] as const;
/** A follow without what it finds and how it is ended by link. */
export type FollowOfAccount = Pick<Follow, (typeof OF_ACCOUNT)[number]>;

/** Kept with the accounts, and their positions with those of webhooks. `actor`: for the audit log; `now`: real time in ms. */
export function createFollowStore(
  client: Client,
  names: Pick<IndexNames, "accounts" | "deliveries">,
  { actor, now = Date.now }: { actor: string; now?: () => number },
): FollowStore {
  const index = names.accounts;
  const documents = createAuditedDocuments(client, index, { actor, now });
  const progress = createProgressStore(client, names.deliveries, now);
  const at = () => new Date(now()).toISOString();
  const isFollow = { term: { kind: "follow" } };
  const all = (...conditions: object[]) => documents.all<Follow>([isFollow, ...conditions], { pageSize: PAGE });
  const ofSearch = async (account: string, search: string) =>
    (await all({ term: { account } })).filter(({ of }) => of.kind === "search" && of.id === search);
  const change = async (follow: Pick<Follow, "follow_id" | "account">, next: Partial<Follow>): Promise<Follow> => {
    const action = next.status === "paused" ? "follow.pause" : "follow.change";
    const entry = documents.entry(action, follow.account, { details: { follow_id: follow.follow_id } });
    const id = followDocumentId(follow.follow_id);
    const changed = await documents.change<Follow>(id, entry, GONE, (read) => ({
      ...read,
      ...next,
      changed_at: at(),
    }));
    return changed.document;
  };

  const assertRoomFor = async (more: number, { account, member }: Pick<Follow, "account" | "member">) => {
    if ((await store.ofMember(account, member)).length + more > MAX_FOLLOWS) {
      throw new WebhookError(`You follow ${MAX_FOLLOWS} things, which is the most. End one first.`);
    }
    const query = { bool: { filter: [isFollow, { term: { account } }] } };
    if ((await client.count({ index, query })).count + more > MAX_FOLLOWS_OF_ACCOUNT) {
      throw new WebhookError(
        `The members of this account follow ${MAX_FOLLOWS_OF_ACCOUNT} things, which is the most. One of them must end one first.`,
      );
    }
  };

  const store: FollowStore = {
    async create({ slack, ...input }, { from, mayStay = async () => {} }) {
      const { account, every } = input;
      await store.assertRoom(input);
      const follow_id = randomUUID();
      const follow: Follow = {
        kind: "follow",
        follow_id,
        ...input,
        ...(slack && { slack: sealSecret(slack.key, follow_id, slack.url) }),
        status: "active",
        reason: null,
        unsubscribe: randomBytes(18).toString("base64url"),
        created_at: at(),
        changed_at: at(),
      };
      // First, because a follow without a position tells nothing.
      await progress.begin({ webhook: follow_id, account }, from);
      if (every !== "at_once") {
        await progress.change(follow_id, { next_attempt_at: new Date(nextDigestAt(every, now())).toISOString() });
      }
      const entry = documents.entry("follow.create", account, {
        details: { follow_id, every, way: slack ? "slack" : "mail" },
      });
      // `key_id` is the id that the index sorts by.
      await documents.create(followDocumentId(follow_id), { ...follow, key_id: follow_id }, entry);
      const mayStayHere = async () => {
        await assertRoomFor(0, input);
        await mayStay(follow_id);
      };
      await assertStays(mayStayHere, () => store.remove(follow));
      return follow;
    },
    assertRoom: (of) => assertRoomFor(1, of),
    async find(id) {
      const found = await client.get<Follow>({ index, id: followDocumentId(id) }, { ignore: [404] });
      return found._source;
    },
    ofMember: async (account, member) => oldestFirst(await all({ term: { account } }, { term: { member } })),
    async ofAccount(account) {
      const conditions = [isFollow, { term: { account } }];
      return oldestFirst(await documents.all<FollowOfAccount>(conditions, { source: [...OF_ACCOUNT], pageSize: PAGE }));
    },
    async active() {
      const source = [...OF_ACTIVE, "status"];
      const found = await documents.all<ActiveFollow & Pick<Follow, "status">>([isFollow], { source, pageSize: PAGE });
      return found.filter(({ status }) => status === "active");
    },
    async change(id, next) {
      const before = await store.find(id);
      if (!before) throw new WebhookError(GONE);
      const changed = await change(before, next);
      // Another frequency counts from now on.
      const due = changed.every === "at_once" ? null : new Date(nextDigestAt(changed.every, now())).toISOString();
      if (next.every) await progress.change(id, { next_attempt_at: due });
      return changed;
    },
    async changeOfSearch(account, search, next) {
      for (const follow of await ofSearch(account, search)) await change(follow, next);
    },
    async remove(...follows) {
      if (follows.length === 0) return;
      const operations = follows.flatMap(({ follow_id, account, member }) => {
        const entry = documents.entry("follow.delete", account, {
          details: { follow_id, ...(member !== undefined && { member }) },
        });
        return [{ delete: { _id: followDocumentId(follow_id) } }, { index: { _id: `audit:${entry.audit_id}` } }, entry];
      });
      assertNoneFailed(await client.bulk({ index, refresh: true, operations }), [404]);
      await client.indices.refresh({ index: names.deliveries });
      await deleteWhere(client, names.deliveries, { terms: { webhook: follows.map(({ follow_id }) => follow_id) } });
    },
    removeOfSearch: async (account, search) => store.remove(...(await ofSearch(account, search))),
    async removeOfMember(account, member, way) {
      const found = await store.ofMember(account, member);
      await store.remove(...found.filter((follow) => way === undefined || wayOf(follow) === way));
    },
  };
  return store;
}

const oldestFirst = <T extends Pick<Follow, "created_at">>(follows: readonly T[]): T[] =>
  follows.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));

const GONE = "You do not follow this any more.";

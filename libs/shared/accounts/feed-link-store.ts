import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { type Account, AccountError, type FeedLink, keyDocumentId } from "./account.ts";
import { hashOfKey, newFeedToken, prefixOfKey } from "./api-key.ts";
import { assertStays, type MayStay } from "./assert-stays.ts";
import { createAuditedDocuments } from "./documents.ts";
import type { HotCopies } from "./hot-copies.ts";
import { oldestFirst } from "./stored-account.ts";

/** How many of an account may work at once, and how many it creates in 24 hours. */
export const MAX_FEED_LINKS = 50;
const MAX_A_DAY = 200;
const DAY_MS = 86_400_000;

/** Feed links of accounts: keys under a `kind` of their own. Rejects with an AccountError for people. */
export type FeedLinkStore = {
  /** A new link to a saved search. The token is shown once and stored only as its hash. `mayStay` is asked before that. */
  create(input: {
    account: Pick<Account, "account" | "status">;
    search: string;
    name: string;
    created_by: string;
    mayStay?: MayStay;
  }): Promise<{ token: string; link: FeedLink }>;
  /** The links of an account that work, the oldest first. */
  ofAccount(handle: string): Promise<FeedLink[]>;
  /** All links of an account that were ever created, the oldest first. */
  everyOf(handle: string): Promise<FeedLink[]>;
  /** The link with this id, whether it works or not; of any account. */
  find(id: string): Promise<FeedLink | undefined>;
  /** Revokes a link: within a second no process answers it. Revoking one again changes nothing. */
  revoke(link: Pick<FeedLink, "account" | "key_id" | "key_hash">): Promise<FeedLink>;
  /** Revokes all links to a saved search; returns how many worked. */
  revokeOfSearch(handle: string, search: string): Promise<number>;
};

/** Kept with the accounts. `actor` is for the audit log; `now` is real time in ms. */
export function createFeedLinkStore(
  client: Client,
  index: string,
  {
    copies,
    actor = "unknown",
    now = Date.now,
  }: { copies: Pick<HotCopies, "keepKey">; actor?: string; now?: () => number },
): FeedLinkStore {
  const documents = createAuditedDocuments(client, index, { actor, now });
  const at = () => new Date(now()).toISOString();

  /** Throws when the account has no room for `more` further links. */
  const assertRoom = async (handle: string, more: number): Promise<void> => {
    const every = await store.everyOf(handle);
    if (every.filter(isWorking).length + more > MAX_FEED_LINKS) {
      throw new AccountError(`An account has at most ${MAX_FEED_LINKS} feed links. Revoke one first.`);
    }
    const ofDay = every.filter(({ created_at }) => Date.parse(created_at) > now() - DAY_MS);
    if (ofDay.length + more > MAX_A_DAY) {
      throw new AccountError(`An account creates at most ${MAX_A_DAY} feed links in 24 hours. Try again tomorrow.`);
    }
  };

  const store: FeedLinkStore = {
    async create({ account, search, name, created_by, mayStay = async () => {} }) {
      const handle = account.account;
      if (account.status !== "active") throw new AccountError(`The account '${handle}' is ${account.status}.`);
      await assertRoom(handle, 1);
      const token = newFeedToken(handle);
      const link: FeedLink = {
        kind: "feed",
        key_id: randomUUID(),
        account: handle,
        search,
        key_hash: hashOfKey(token),
        prefix: prefixOfKey(token),
        name,
        created_at: at(),
        created_by,
        expires_at: null,
        revoked_at: null,
      };
      const entry = documents.entry("feed.create", handle, { key_id: link.key_id, details: { search, name } });
      await documents.create(keyDocumentId(link.key_hash), link, entry);
      const mayStayHere = async () => {
        await assertRoom(handle, 0);
        await mayStay();
      };
      await assertStays(mayStayHere, () => store.revoke(link));
      return { token, link };
    },
    ofAccount: async (handle) => (await store.everyOf(handle)).filter(isWorking),
    everyOf: async (handle) =>
      oldestFirst(await documents.all<FeedLink>([{ term: { kind: "feed" } }, { term: { account: handle } }])),
    async find(id) {
      const [found] = await documents.search<FeedLink>([{ term: { kind: "feed" } }, { term: { key_id: id } }], 1);
      return found;
    },
    async revoke({ account, key_id, key_hash }) {
      const { document, version } = await documents.change<FeedLink>(
        keyDocumentId(key_hash),
        documents.entry("feed.revoke", account, { key_id }),
        `There is no feed link '${key_id}'.`,
        (link) => ({ ...link, revoked_at: link.revoked_at ?? at() }),
      );
      await copies.keepKey(document, version);
      return document;
    },
    async revokeOfSearch(handle, search) {
      const links = (await store.ofAccount(handle)).filter((link) => link.search === search);
      for (const link of links) await store.revoke(link);
      return links.length;
    },
  };
  return store;
}

const isWorking = ({ revoked_at }: FeedLink): boolean => revoked_at === null;

import { setTimeout as pause } from "node:timers/promises";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { createFeedLinkStore } from "@tranche/shared/accounts/feed-link-store";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { feedUrls } from "@tranche/shared/accounts/feed-urls";
import { createSearchStore } from "../../apps/dashboard/explore/search-store.ts";
import { startReceiver } from "../support/webhook-receiver.ts";
import type { Installation } from "./installation.ts";
import { differences, idOf, type Row, rowsOf, startMirror } from "./mirror.ts";
import { openWebhooks } from "./webhook-operations.ts";

/** Somebody who follows a list: by the feed, a webhook or a feed link. */
export type Follower = {
  name: string;
  /** Ids of the documents that it was told of since the last call. */
  heard(): Promise<string[]>;
  /** Whether it has exactly what its list shows. */
  isCurrent(): Promise<boolean>;
  stop(): Promise<void>;
};

type Feed = { path: "/funding" | "/signals"; filters: string; key: string };

/** Keeps a copy by `/changes`. `position` is the last one that it was given, `refusals` what it was answered other than pages. */
export function followFeed(
  { service }: Installation,
  { path, filters, key }: Feed,
): Follower & { position(): string; refusals: readonly string[] } {
  const mirror = startMirror(() => service.base, path, filters, key);
  return {
    name: `${path}?${filters}`,
    heard: async () => mirror.told.splice(0),
    isCurrent: async () => mirror.read.isEnd && (await differences(mirror, service.base, key)).length === 0,
    stop: () => mirror.stop(),
    position: () => mirror.read.position,
    refusals: mirror.refusals,
  };
}

/** Keeps a copy by a webhook, from the start. The service needs the settings of `WEBHOOK_ENV`. */
export async function followByWebhook(
  installation: Installation,
  { account, path, filters, key }: Feed & { account: string },
): Promise<Follower> {
  const receiver = await startReceiver();
  const webhooks = openWebhooks(installation);
  const { secret, webhook } = await webhooks.create({
    account: { account, plan: "scale", status: "active" },
    name: "drill",
    list: path.slice(1) as "funding" | "signals",
    query: filters,
    url: receiver.url,
    from: "start",
    created_by: "drill",
  });
  receiver.secrets.push(secret);
  const { status, reason } = (await webhooks.resume(webhook.webhook_id, "scale")).webhook;
  if (status !== "active") throw new Error(`the webhook is ${status}: ${reason}`);
  let read = 0;
  return {
    name: `webhook of ${path}?${filters}`,
    async heard() {
      const changes = receiver.changes().slice(read);
      read += changes.length;
      return changes.map(({ id }) => id);
    },
    async isCurrent() {
      const rows = new Map([...receiver.copy()].map(([id, row]) => [id, JSON.stringify(row)]));
      return (await differences({ list: `${path}?${filters}`, rows }, installation.service.base, key)).length === 0;
    },
    stop: () => receiver.close(),
  };
}

type Entry = { id: string; date_modified: string; _tranche: { row: Row } };

/** Reads a feed link: news are the entries that changed after the newest of the last page. It shows the newest changes, not all of a list. */
export async function followByLink(
  { client, names, queues, service }: Installation,
  { account, path, filters, key }: Feed & { account: string },
): Promise<Follower> {
  const search = await createSearchStore(client, names.dashboard, { actor: "drill" }).create({
    account,
    name: "drill",
    list: path.slice(1) as "funding" | "signals",
    query: filters,
  });
  const copies = createHotCopies(queues.redis, service.namespace);
  const links = createFeedLinkStore(client, names.accounts, { actor: "drill", copies });
  const { token } = await links.create({
    account: { account, status: "active" },
    search: search.search.id,
    name: "drill",
    created_by: "drill",
  });
  const read = async (): Promise<Entry[]> => {
    // A page is kept for a minute.
    const pages = await queues.redis.keys(accountRedisKeys(service.namespace, account).feedPage("*"));
    if (pages.length > 0) await queues.redis.del(pages);
    const response = await fetch(feedUrls(service.base.replace("/api/v1", ""), token).json);
    if (response.status === 429 || response.status === 503) {
      await pause(Number(response.headers.get("retry-after")) * 1000);
      return read();
    }
    if (!response.ok) throw new Error(`the feed link: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { items: Entry[] }).items;
  };
  const newest = (entries: Entry[], after = "") =>
    entries.reduce((latest, { date_modified }) => (date_modified > latest ? date_modified : latest), after);
  let seen = newest(await read());
  return {
    name: `feed link of ${path}?${filters}`,
    async heard() {
      const entries = await read();
      const news = entries.filter(({ date_modified }) => date_modified > seen);
      seen = newest(entries, seen);
      return news.map(({ _tranche: { row } }) => idOf(row));
    },
    async isCurrent() {
      const listed = await rowsOf(`${path}?${filters}`, service.base, key);
      return (await read()).every(({ _tranche: { row } }) => listed.get(idOf(row)) === JSON.stringify(row));
    },
    stop: async () => {},
  };
}

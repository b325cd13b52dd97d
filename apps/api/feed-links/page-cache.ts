import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { endLease } from "@tranche/shared/engines/redis/lease";
import { shareByKey } from "@tranche/shared/process/share-by-key";
import type { Credentials } from "../admission/credentials.ts";
import { unavailable } from "../errors/api-error.ts";
import type { RedisGateway } from "../redis/gateway.ts";
import { evenIfAway, orNone, unlessAway } from "../redis/unless-away.ts";
import type { FeedPage } from "./page.ts";

/** A link gets a fresh page at most this often. */
const FRESH_EVERY_MS = 60_000;
/** Longer than making one takes. */
const MADE_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;
const WAIT_AT_MOST_MS = 5000;
const DAY_S = 86_400;

/** The pages of feed links that were made in the last minute, for all API processes. Rejects with `unavailable` while Redis is away. */
export type FeedPageCache = {
  /**
   * The page of a link. Calls `make` when there is none, one call at a time in the whole installation; concurrent calls in this
   * process share its page, or its error.
   */
  page(link: Credentials, make: () => Promise<FeedPage>): Promise<{ page: FeedPage; made: boolean }>;
  /** Counts a charged page of an account: how many the day (UTC) has with it, and the seconds until the next day. */
  count(handle: string): Promise<{ pages: number; secondsLeft: number }>;
  /** Takes a page out of the count again. */
  uncount(handle: string): Promise<void>;
};

/** `now`: real time in ms. */
export function createFeedPageCache(
  { redis, nodeStateOf }: Pick<RedisGateway, "redis" | "nodeStateOf">,
  namespace: string,
  now: () => number,
): FeedPageCache {
  redis.defineCommand("takeFeedPage", {
    numberOfKeys: 2,
    lua: readFileSync(new URL("./take-page.lua", import.meta.url), "utf8"),
  });
  const commands = redis as RedisClient & {
    takeFeedPage(page: string, making: string, caller: string, ms: string): Promise<string>;
  };
  const ask = <T>(key: string, answer: () => Promise<T>): Promise<T> => {
    const { outage, withTimeout } = nodeStateOf(key);
    return unlessAway(outage, () => withTimeout(answer()));
  };
  const keysOf = ({ handle, hash }: Credentials) => {
    const page = accountRedisKeys(namespace, handle).feedPage(hash);
    return { page, making: `${page}:making` };
  };
  const countOf = (handle: string) =>
    accountRedisKeys(namespace, handle).feedPages(new Date(now()).toISOString().slice(0, 10));

  const share = shareByKey<FeedPage>();
  const read = async (link: Credentials, make: () => Promise<FeedPage>) => {
    const { page: key, making } = keysOf(link);
    const caller = randomUUID();
    const take = () => ask(key, () => commands.takeFeedPage(key, making, caller, String(MADE_WITHIN_MS)));
    const until = performance.now() + WAIT_AT_MOST_MS;
    for (;;) {
      const found = await evenIfAway(take);
      if (found === "make") break;
      if (found !== "wait") return JSON.parse(found) as FeedPage;
      if (performance.now() > until)
        throw unavailable(new Error("another process has been making this page for more than 5 s"));
      await pause(LOOK_EVERY_MS);
    }
    try {
      const page = await make();
      const { outage, withTimeout } = nodeStateOf(key);
      // A page that can't be kept is shown all the same.
      await orNone(outage, () => withTimeout(redis.set(key, JSON.stringify(page), "PX", FRESH_EVERY_MS)));
      return page;
    } finally {
      await ask(key, () => endLease({ redis, key: making, holder: caller })).catch(() => {});
    }
  };

  return {
    async page(link, make) {
      let made = false;
      const tracked = () => {
        made = true;
        return make();
      };
      const page = await share(link.hash, () => read(link, tracked));
      return { page, made };
    },
    async count(handle) {
      const key = countOf(handle);
      const [pages] = await ask(key, () => Promise.all([redis.incr(key), redis.expire(key, 2 * DAY_S)]));
      return { pages, secondsLeft: DAY_S - (Math.floor(now() / 1000) % DAY_S) };
    },
    uncount: async (handle) => void (await ask(countOf(handle), () => redis.decr(countOf(handle))).catch(() => {})),
  };
}

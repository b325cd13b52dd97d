import { setTimeout as pause } from "node:timers/promises";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import { shareByKey } from "@tranche/shared/process/share-by-key";
import type { Timing } from "@tranche/shared/process/timing";
import { type FeedState, hasMoved, readFeedState } from "@tranche/shared/protocol/feed/state";
import { ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import { unavailable } from "../errors/api-error.ts";
import type { RedisGateway } from "../redis/gateway.ts";
import { unlessAway } from "../redis/unless-away.ts";

/** After news each waiting request searches, so that there is more news only after this time. A change has to be in the feed within 2 s. */
const AFTER_NEWS_MS = 1000;

/** The state of the feed of changes. */
export type FeedWatch = {
  /**
   * Throws `unavailable` while the feed is closed or Redis is away. The horizon is the same for all callers until there may be something
   * new, so that readers who have read everything have the same position.
   */
  state(model: FeedModel): Promise<FeedState>;
  /**
   * The first state after which there may be something new, at most once per second and the same one for all who wait. Undefined when there
   * was none until a time of `performance.now()`, when aborted, or at the end of the process.
   */
  news(
    model: FeedModel,
    after: FeedState,
    options: { until: number; signal: AbortSignal },
  ): Promise<FeedState | undefined>;
  /** Ends all waits. */
  close(): void;
};

export function createFeedWatch(
  { redis, nodeStateOf }: Pick<RedisGateway, "redis" | "nodeStateOf">,
  namespace: string,
  { feedLook }: Pick<Timing, "feedLook">,
): FeedWatch {
  const key = ticketKey(namespace);
  const known = new Map<FeedModel, FeedState>();
  const share = shareByKey<FeedState>();
  /** The state at the last look, and the time of the next one. */
  const looked = new Map<FeedModel, { state: FeedState; nextAt: number }>();
  let closed = false;

  const read = async (model: FeedModel): Promise<FeedState> => {
    const { withTimeout, outage } = nodeStateOf(key);
    const state = await unlessAway(outage, () => withTimeout(readFeedState(redis, namespace, model)));
    if (!state) throw unavailable(new Error(`the feed of ${model} is closed: no indexer has opened it yet`));
    const before = known.get(model);
    const now = before && !hasMoved(before, state) ? { ...state, horizon: before.horizon } : state;
    known.set(model, now);
    return now;
  };

  const look = async (model: FeedModel): Promise<FeedState> => {
    const before = looked.get(model);
    await pause(Math.max(feedLook, (before?.nextAt ?? 0) - performance.now()));
    const state = await read(model);
    const isNews = before && hasMoved(before.state, state);
    looked.set(model, { state, nextAt: performance.now() + (isNews ? AFTER_NEWS_MS : 0) });
    return state;
  };

  return {
    state: read,
    async news(model, after, { until, signal }) {
      let failure: Error | undefined;
      while (!closed && !signal.aborted && performance.now() < until) {
        failure = undefined;
        // A waiting request need not see an outage that is over before its end.
        const now = await share(model, () => look(model)).catch((error: Error) => void (failure = error));
        if (now && hasMoved(after, now)) return now;
      }
      if (failure) throw failure;
      return undefined;
    },
    close: () => void (closed = true),
  };
}

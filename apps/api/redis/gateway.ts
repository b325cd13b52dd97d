import type { Logger } from "@tranche/shared/process/logger";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { nameOfNode, nodeNameOf, nodeOf, onEachNode } from "@tranche/shared/engines/redis/nodes";
import { Cluster } from "ioredis";
import { type Coalesce, createCoalescedWrites } from "./coalesced-writes.ts";
import { createOutage, type Outage } from "./outage.ts";
import { createSilenceTimeout, RedisAway, type WithTimeout } from "./silence-timeout.ts";

/**
 * Redis counts as away when it answers nothing for this long. The kernel stops a container at its CPU limit for up to 100 ms at a time. A
 * shared virtual machine can stop for as long. Neither is an outage.
 */
const SILENCE_MS = 250;

/** The state of a node that can be away by itself: a single Redis, or one master of a Cluster with its slots. */
export type NodeState = { outage: Outage; withTimeout: WithTimeout };

/** How the steps of a request use Redis: over one connection, within a time limit, and not at all while Redis is away. */
export type RedisGateway = {
  redis: RedisClient;
  coalesce: Coalesce;
  /** The state of a key. */
  nodeStateOf: (key: string) => NodeState;
  /** For how long all of Redis has been away, in ms; undefined while a part of it answers. */
  allAwayFor: () => number | undefined;
  /** Runs this before requests use a part of Redis again that was away. `isBack`: whether a key can be used then. */
  beforeBack: (run: (isBack: (key: string) => boolean) => Promise<void>) => void;
};

/**
 * `key`: one that this process may write. `report`: called when a part of Redis goes away first, and when all is back. `now`: real time
 * in ms.
 */
export function createRedisGateway(
  redis: RedisClient,
  parts: { key: string; report: (away: boolean) => void; log: Logger; now: () => number },
): RedisGateway {
  let beforeBack: Parameters<RedisGateway["beforeBack"]>[0] = async () => {};
  const states = new Map<string, NodeState>();
  let away = 0;

  /** Rejects with RedisAway, also while writes are refused. An empty text changes nothing, whatever the key holds. */
  const writeNothing = async (withTimeout: WithTimeout, key: string) => {
    // A key of a Cluster is asked for wherever its slot is now: a replica may have taken over.
    await withTimeout(redis.setrange(key, 0, "")).catch((error: Error) => {
      if (error instanceof RedisAway) throw error;
    });
  };
  /** `key`: one of those that it serves. */
  const open = (name: string, key: string): NodeState => {
    const withTimeout = createSilenceTimeout(SILENCE_MS);
    const outage = createOutage({
      ping: () => writeNothing(withTimeout, key),
      reconnect: () => {
        const node = nodeOf(redis, key);
        // A connection that is being opened is left alone.
        if (node?.status === "ready") node.disconnect(true);
      },
      report(isAway) {
        away += isAway ? 1 : -1;
        if (isAway ? away === 1 : away === 0) parts.report(isAway);
      },
      log: redis instanceof Cluster ? parts.log.child({ redis_node: name }) : parts.log,
      now: parts.now,
    });
    const state: NodeState = { outage, withTimeout };
    outage.beforeBack(() =>
      beforeBack((other) => nodeStateOf(other) === state || nodeStateOf(other).outage.lasts() === undefined),
    );
    states.set(name, state);
    return state;
  };

  let nodeStateOf: RedisGateway["nodeStateOf"];
  if (redis instanceof Cluster) {
    nodeStateOf = (key) => {
      const name = nodeNameOf(redis, key) ?? "unknown";
      return states.get(name) ?? open(name, key);
    };
  } else {
    const state = open("", parts.key);
    nodeStateOf = () => state;
  }
  onEachNode(redis, (node) =>
    node.on("close", () => {
      const name = redis instanceof Cluster ? nameOfNode(node) : "";
      states.get(name)?.outage.begins(new Error("the connection to Redis was closed"));
    }),
  );
  return {
    redis,
    coalesce: createCoalescedWrites(redis),
    nodeStateOf: (key) => nodeStateOf(key),
    allAwayFor() {
      const each = [...states.values()].map(({ outage }) => outage.lasts());
      return each.includes(undefined) || each.length === 0 ? undefined : Math.min(...(each as number[]));
    },
    beforeBack: (run) => void (beforeBack = run),
  };
}

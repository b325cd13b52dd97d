import { randomUUID } from "node:crypto";
import { createFeedControlStore, type FeedControl, type ReadFeedControl } from "@tranche/shared/protocol/feed/control";
import { showFeedState } from "@tranche/shared/protocol/feed/show-state";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import type { RebuildStore } from "@tranche/shared/protocol/rebuild/state";
import { FIRST_STAGE, type IndexRole } from "@tranche/shared/engines/search/index-names";
import type { PipelineParts } from "../pipeline/parts.ts";
import { nextState, type Served } from "./next-state.ts";

/** The dependencies of reconciling the state of the feed with the roles. */
export type FeedParts = Pick<PipelineParts, "client" | "names" | "tickets" | "log"> & {
  redis: RedisClient;
  namespace: string;
  rebuilds: Pick<RebuildStore, "read">;
};

/**
 * Brings what readers of the feed search in line with the roles of the indices, also after a swap, a rollback, a restore or an emptied
 * Redis. Several processes may do so at once, and as often as they like. Returns the state, with the differences that are due.
 */
export async function reconcileFeed(parts: FeedParts): Promise<ReadFeedControl> {
  const { client, names, redis, namespace, log } = parts;
  const store = createFeedControlStore(client, names);
  for (;;) {
    const last = await store.read();
    const served = await servedByRoles(parts);
    const version = await parts.tickets.take();
    const next = nextState(last?.control, served, { version, epoch: randomUUID() });
    if (next) {
      if (await store.save(last, next))
        log.info(logFields(last?.control, next), "the feed of changes searches other indices");
      continue;
    }
    const shown = await showFeedState(redis, namespace, last!.control);
    if (shown <= last!.control.version) return last!;
    // Readers have seen a later state: Elasticsearch was restored from before it, and positions with it.
    const now = await store.read();
    if (now!.control.version < shown) {
      // The clock may be behind it as well.
      const later = Math.max(version, shown + 1);
      await store.save(now, { ...now!.control, version: later, epoch: randomUUID(), due: null });
    }
  }
}

async function servedByRoles({ client, names, rebuilds }: FeedParts): Promise<Served> {
  // Before the roles: a rebuild whose indices are live was saved with its ticket.
  const read = await rebuilds.read();
  const roles = await readIndexRoles(client, names);
  const holders = (role: IndexRole) => {
    const { funding, companies } = { funding: roles.funding[role], companies: roles.companies[role] };
    return funding && companies ? { funding, companies } : undefined;
  };
  const live = holders("live");
  if (!live)
    throw new Error(`no index has the alias ${FIRST_STAGE.map((model) => names.role(model, "live")).join(" or ")}`);
  const { indices, since } = read?.rebuild ?? {};
  const rebuild =
    indices && since ? { indices: { funding: indices.funding, companies: indices.companies }, since } : undefined;
  return { live, previous: holders("previous"), rebuild };
}

const logFields = (last: FeedControl | undefined, { served, epoch, due }: FeedControl) => ({
  served,
  publishing: due !== null,
  positionsEnd: last !== undefined && last.epoch !== epoch,
});

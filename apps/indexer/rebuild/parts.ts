import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import type { RebuildStore } from "@tranche/shared/protocol/rebuild/state";
import type { Layout } from "@tranche/shared/engines/search/store-indices";
import type { PipelineParts } from "../pipeline/parts.ts";
import type { ShareOutParts } from "./share-out.ts";

/** The dependencies of a rebuild. */
export type RebuildParts = PipelineParts & {
  rebuilds: RebuildStore;
  layout: Layout;
  redis: RedisClient;
  namespace: string;
  slices: ShareOutParts["slices"];
  /** Where the slices of its copy wait for an indexer. */
  copyQueue: ShareOutParts["queue"];
  until: AbortSignal;
  onProgress: (done: number) => Promise<void>;
};

import type { RebuildStore } from "@tranche/shared/rebuild/state";
import type { Layout } from "@tranche/shared/search/store-indices";
import type { PipelineParts } from "../pipeline/parts.ts";

/** The dependencies of a rebuild. */
export type RebuildParts = PipelineParts & {
  rebuilds: RebuildStore;
  layout: Layout;
  onProgress: (done: number) => Promise<void>;
};

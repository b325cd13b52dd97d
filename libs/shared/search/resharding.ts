/** Elasticsearch allows no more shards in an index. */
export const MAX_SHARDS = 1024;

/** A store that was moved to an index with another number of shards. */
export type ReshardedStore = { store: string; from: number; to: number; documents: number; seconds: number };

/** Where a resharding is: stores moved so far and in all, and documents copied of the store that is being moved. */
export type ReshardProgress = { moved: number; of: number; store: string; copied: number; documents: number };

/** How many documents of each kind were removed. */
export type Purged = { records: number; edges: number; snapshots: number; merges: number };

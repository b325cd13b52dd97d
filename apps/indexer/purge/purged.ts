/** How many documents of each kind were removed. */
export type Purged = {
  records: number;
  edges: number;
  stakes: number;
  snapshots: number;
  merges: number;
  gone: number;
};

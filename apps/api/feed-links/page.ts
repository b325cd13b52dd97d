/** The newest changes of a saved search, as plain data: it is kept as JSON, and both formats are made from it. */
export type FeedPage = {
  /** A URI that stays the same. */
  id: string;
  title: string;
  /** ISO time of the last change. */
  updated: string;
  entries: FeedEntry[];
};

export type FeedEntry = {
  /** A URI that stays the same while its document changes. */
  id: string;
  title: string;
  text: string;
  /** ISO times: when it was first listed, if that is known, and when it last changed. */
  published?: string;
  updated: string;
  /** Where people see it, and where it was reported. Both are `http:` or `https:`. */
  url?: string;
  source?: string;
  /** As on the list. */
  row: object;
};

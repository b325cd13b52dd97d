/**
 * When a document last changed, for the feed of changes: tickets, in µs since 1970. Documents of funding and signals have them, gone
 * ones too. docs/decisions/0040-a-feed-that-misses-nothing.md says what they prove.
 */
export type ChangeTickets = {
  /** The ticket that last changed what a list shows of it. */
  changed: number;
  /** When it was first listed; 0 when that is not certain. */
  created: number;
  /** When a field that filters use last changed. */
  moved: number;
  /** A digest of the whole content, and one of the fields that filters use: they are compared instead of the source. */
  content_hash: string;
  filters_hash: string;
};

import { FIELD_GROUPS, type FieldGroup } from "./field-groups.ts";

/**
 * When a document last changed, for the feed of changes: tickets, in µs since 1970. Documents of funding and companies have them, gone
 * ones too. docs/decisions/0040-a-feed-that-misses-nothing.md says what they prove.
 */
export type ChangeTickets = {
  /** The ticket that last changed what a list shows of it. */
  changed: number;
  /** When it was first listed; 0 when that is not certain. */
  created: number;
  /** A digest of the whole content, and one of each group of the fields that filters use: they are compared instead of the source. */
  content_hash: string;
  filters_hash: string;
} & MovedGroups;

/** When a field that filters use last changed, by its group. A group that has not moved since `created` has no ticket, so most documents have none. */
export type MovedGroups = { [Group in `moved_${FieldGroup}`]?: number | undefined };

/** The field that says when a group of fields last changed. */
export const movedField = (group: FieldGroup): keyof MovedGroups => `moved_${group}`;

/** The same ticket for each group. */
export const allMoved = (ticket: number): MovedGroups => movedGroups(() => ticket);

/** The tickets of groups; `of` gets a group and its place. */
export const movedGroups = (of: (group: FieldGroup, place: number) => number | undefined): MovedGroups =>
  Object.fromEntries(FIELD_GROUPS.map((group, place) => [movedField(group), of(group, place)]));

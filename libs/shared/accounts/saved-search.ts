/** The lists of the API that have filters. */
export const LISTS = ["funding", "signals", "companies", "investors"] as const;
export type ListName = (typeof LISTS)[number];

/** Filters and order of a list under a name, for all members of an account. */
export type SavedSearch = {
  kind: "search";
  id: string;
  account: string;
  name: string;
  list: ListName;
  /** As after the `?` of a request, escaped. Neither page size nor position is part of it. */
  query: string;
  created_at: string;
  /** E-mail address of a member. */
  created_by: string;
  changed_at: string;
  changed_by: string;
};

/** How many an account may have. */
export const MAX_SEARCHES = 200;

/** The lists whose saved searches can be followed. Investors are counted from rounds, and have no tickets of their changes. */
const FOLLOWED_LISTS = ["funding", "signals", "companies"] as const satisfies readonly ListName[];
export type FollowedList = (typeof FOLLOWED_LISTS)[number];

export const isFollowed = (list: ListName): list is FollowedList => FOLLOWED_LISTS.some((one) => one === list);

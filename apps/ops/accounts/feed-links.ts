import type { FeedLink } from "@tranche/shared/accounts/account";
import { isFollowed, type SavedSearch } from "@tranche/shared/accounts/saved-search";
import { readSearches } from "@tranche/shared/accounts/read-searches";
import type { Engines } from "../context/connect.ts";
import { Failure, WrongUsage } from "../terminal/failure.ts";
import { listed } from "../terminal/table.ts";

/** The saved search of an account with this id, or the only one with this name. Rejects with an error that says what there is instead. */
export async function findSearch({ client, names }: Engines, account: string, text: string): Promise<SavedSearch> {
  const all = (await readSearches(client, names.dashboard, account)).map(({ search }) => search);
  const wanted = text.trim().toLowerCase();
  const named = all.filter(({ id, name }) => id === text || name.toLowerCase() === wanted);
  const [found, ...others] = named;
  if (!found) {
    const shown = all.slice(0, 20).map(({ id, name }) => `'${name}' (${id})`);
    const there = shown.length > 0 ? `It has ${shown.join(", ")}.` : "Members save searches in the dashboard.";
    throw new Failure(`The account has no saved search '${text}'. ${there}`);
  }
  if (others.length > 0) {
    const ids = named.map(({ id, list }) => `${id} (${list})`);
    throw new WrongUsage(`Several saved searches are named '${text}': give the id of one. They are ${ids.join(", ")}.`);
  }
  if (!isFollowed(found.list)) {
    throw new WrongUsage(
      `'${found.name}' is a search of ${found.list}. Only funding, signals and companies have feeds.`,
    );
  }
  return found;
}

/** A feed link as --json prints it. */
export function shownFeedLink({
  key_id,
  account,
  search,
  name,
  prefix,
  created_at,
  created_by,
  last_used_at,
  revoked_at,
}: FeedLink) {
  return {
    feed_id: key_id,
    account,
    search,
    name,
    prefix,
    created_at,
    created_by,
    last_used_at: last_used_at ?? null,
    revoked_at,
  };
}

/** The feed links of an account; never their tokens. */
export const feedLinkTable = (links: readonly FeedLink[]): string =>
  listed(links, {
    columns: {
      "feed id": "key_id",
      prefix: "prefix",
      "saved search": "name",
      created: "created_at",
      "last used": "last_used_at",
      revoked: "revoked_at",
    },
    empty: "The account has no feed links. Create one with `ops feeds create --account A --search S`.",
  });

import type { SavedSearch } from "@tranche/shared/accounts/saved-search";
import { type Follow, type Followed, wayOf } from "@tranche/webhooks/follow";

/** A follow as its member sees it, without the address in Slack. */
export const followView = ({ follow_id, name, of, slack, every, status, reason, created_at }: Follow) => ({
  id: follow_id,
  name,
  of,
  way: wayOf({ slack }),
  every,
  status,
  reason,
  created_at,
});

/** The name and the filters that a follow takes from a saved search: its order is not part of them. */
export function followOf({ name, query }: Pick<SavedSearch, "name" | "query">): Pick<Follow, "name" | "query"> {
  const filters = query.split("&").filter((part) => part !== "" && !part.startsWith("sort="));
  return { name, query: filters.join("&") };
}

/** The filter that selects companies or an investor by id, as after the `?` of a request. */
export function queryOf(of: Exclude<Followed, { kind: "search" }>): string {
  const [parameter, ids] = of.kind === "companies" ? ["companies", of.ids] : ["investors", [of.id]];
  const items = ids.map((id) => `"${id.replaceAll('"', '""')}"`);
  return `${parameter}=${encodeURIComponent(items.join(","))}`;
}

import type { Hit } from "../../ui/find-dialog.tsx";
import { requestJson } from "../../ui/request.ts";
import { companyHref, investorHref } from "../explore/results/columns.tsx";
import { count, countryName } from "../format.ts";
import { API } from "../session.ts";

type Found = {
  data: { type: "company" | "investor"; id: string; name: string; country: string | null; rounds: number }[];
};
const MOST = 10;
/** The names found for a text, because each search costs a request. */
const known = new Map<string, readonly Hit[]>();

/** Whether the API searches for a text: it needs a letter or a digit, and takes at most 100 characters. */
export const isSearchable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text) && Array.from(text).length <= 100;

/** Companies and investors of this name, also of a similar one. */
export async function findNames(text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const before = known.get(text);
  if (before) return before;
  const query = `q=${encodeURIComponent(text.toWellFormed())}&types=company,investor&limit=${MOST}`;
  const { body } = await requestJson<Found>(`${API}/v1/search?${query}`, { signal });
  const hits = body.data.map(({ type, id, name, country, rounds }) => ({
    href: type === "company" ? companyHref(id) : investorHref(id),
    title: name,
    kind: [type, country && countryName(country), `${count(rounds)} ${rounds === 1 ? "round" : "rounds"}`]
      .filter(Boolean)
      .join(" · "),
  }));
  known.set(text, hits);
  return hits;
}

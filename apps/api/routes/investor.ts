import type { estypes } from "@elastic/elasticsearch";
import type { StoredMerge, StoredRecord } from "@tranche/shared/domain/records/stored";
import { withMerges } from "@tranche/shared/engines/search/records";
import type { InvestorDocument } from "@tranche/read-models/documents/investors";
import { keyOf } from "@tranche/shared/domain/text/key";
import { otherSlugs } from "@tranche/shared/domain/text/spellings";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import { byIdOrSlug, bySlugKey } from "../query/look-up.ts";
import type { ApiParts } from "./parts.ts";

/** How many investors with the same slug are considered, those with the lowest ids. */
const MAX_CANDIDATES = 50;
const MAX_MERGES = 1000;

/**
 * The investor with this id, or the one with this slug by key and the lowest id, or the one whose slug has `and` for `&` or the other way
 * round. Merges are applied to the stored record. Slugs are also looked up in the live index, which has their keys, because records have
 * slugs as they were sent.
 */
export async function investorBy(
  { search, names }: Pick<ApiParts, "search" | "names">,
  text: string,
): Promise<StoredRecord<"investor"> | undefined> {
  const mergesWhere = async (query: estypes.QueryDslQueryContainer): Promise<StoredMerge[]> => {
    const filter = [{ term: { type: "investor" } }, query];
    const request = { query: { bool: { filter } }, size: MAX_MERGES, track_total_hits: false };
    return (await search<StoredMerge>(names.record("merge"), request)).documents;
  };
  const storedWhere = async (request: estypes.SearchRequest): Promise<StoredRecord<"investor">[]> =>
    (await search<StoredRecord<"investor">>(names.record("investor"), { ...request, size: MAX_CANDIDATES })).documents;

  const [stored, naming, listed] = await Promise.all([
    storedWhere(byIdOrSlug("id", text)),
    mergesWhere({ bool: { should: [{ term: { record_id: text } }, { term: { slug: text } }] } }),
    search<Pick<InvestorDocument, "investor_id">>(names.role("investors", "live"), bySlugKey(text, MAX_CANDIDATES)),
  ]);
  const known = new Set(stored.map(({ id }) => id));
  const others = [
    ...naming.map(({ record_id }) => record_id),
    ...listed.documents.map(({ investor_id }) => investor_id),
  ];
  const more = [...new Set(others)].filter((id) => !known.has(id));
  if (known.size + more.length === 0) return undefined;
  const merges = await mergesWhere({ terms: { record_id: [...known, ...more] } });
  if (more.length > 0) stored.push(...(await storedWhere({ query: { terms: { id: more } }, track_total_hits: false })));
  const found = withMerges(
    "investor",
    stored,
    Map.groupBy(merges, (merge) => merge.record_id),
  );
  const lowestWith = (slugs: readonly string[]) =>
    [...found.values()]
      .filter(({ slug }) => slug !== undefined && slugs.includes(keyOf(slug)))
      .toSorted((a, b) => byCodePoint(a.id, b.id))[0];
  return found.get(text) ?? lowestWith([keyOf(text)]) ?? lowestWith(otherSlugs(text));
}

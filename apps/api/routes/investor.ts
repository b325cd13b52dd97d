import type { estypes } from "@elastic/elasticsearch";
import type { StoredMerge, StoredRecord } from "@tranche/shared/records/stored";
import { withMerges } from "@tranche/shared/search/records";
import { byCodePoint } from "@tranche/shared/text/order";
import { byIdOrSlug } from "../query/look-up.ts";
import type { Parts } from "./parts.ts";

/** How many investors with the same slug are considered, those with the lowest ids. */
const MAX_CANDIDATES = 50;
const MAX_MERGES = 1000;

/** The investor with this id, or the one with this slug and the lowest id. Merges are applied to the stored record. */
export async function investorBy(
  { search, names }: Pick<Parts, "search" | "names">,
  text: string,
): Promise<StoredRecord<"investor"> | undefined> {
  const mergesWhere = async (query: estypes.QueryDslQueryContainer): Promise<StoredMerge[]> => {
    const filter = [{ term: { type: "investor" } }, query];
    const request = { query: { bool: { filter } }, size: MAX_MERGES, track_total_hits: false };
    return (await search<StoredMerge>(names.record("merge"), request)).documents;
  };
  const storedWhere = async (request: estypes.SearchRequest): Promise<StoredRecord<"investor">[]> =>
    (await search<StoredRecord<"investor">>(names.record("investor"), { ...request, size: MAX_CANDIDATES })).documents;

  const [stored, naming] = await Promise.all([
    storedWhere(byIdOrSlug("id", text)),
    mergesWhere({ bool: { should: [{ term: { record_id: text } }, { term: { slug: text } }] } }),
  ]);
  const ids = [...new Set([...stored.map(({ id }) => id), ...naming.map(({ record_id }) => record_id)])];
  if (ids.length === 0) return undefined;
  const merges = await mergesWhere({ terms: { record_id: ids } });
  if (naming.length > 0) {
    const known = new Set(stored.map(({ id }) => id));
    const more = ids.filter((id) => !known.has(id));
    stored.push(...(await storedWhere({ query: { terms: { id: more } }, track_total_hits: false })));
  }
  const found = withMerges(
    "investor",
    stored,
    Map.groupBy(merges, (merge) => merge.record_id),
  );
  const withSlug = [...found.values()].filter((investor) => investor.slug === text);
  return found.get(text) ?? withSlug.toSorted((a, b) => byCodePoint(a.id, b.id))[0];
}

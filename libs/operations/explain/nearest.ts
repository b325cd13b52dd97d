import { RECORD_TYPES, type RecordType } from "@tranche/shared/domain/records/record";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";
import { byDistance } from "@tranche/shared/domain/text/closest";
import type { Installation } from "../installation/installation.ts";

const CANDIDATES = 50;
const NAMED = 5;

/** Suggestions for an unknown id: ids that are like it, or whose slug it is, and other types of records with this id. */
type Nearest = { ids: string[]; types: RecordType[] };

export async function nearestTo(
  { client, names }: Pick<Installation, "client" | "names">,
  type: RecordType,
  id: string,
): Promise<Nearest> {
  const beginnings = [...new Set([id, id.slice(0, Math.ceil((id.length * 2) / 3))])];
  const should = [
    { fuzzy: { id: { value: id, fuzziness: "AUTO" } } },
    ...beginnings.map((value) => ({ prefix: { id: { value } } })),
    ...(type === "company" || type === "investor" ? [{ term: { slug: id } }] : []),
  ];
  const [answer, others] = await Promise.all([
    retryForever(() =>
      client.search<{ id: string; slug?: string }>({
        index: names.record(type),
        query: { bool: { should, must_not: [{ term: { deleted: true } }] } },
        size: CANDIDATES,
        _source: ["id", "slug"],
      }),
    ),
    Promise.all(
      RECORD_TYPES.filter((other) => other !== type).map(async (other) => {
        const { count } = await retryForever(() =>
          client.count({ index: names.record(other), query: { term: { id } } }),
        );
        return count > 0 ? [other] : [];
      }),
    ),
  ]);
  const found = answer.hits.hits.map((hit) => hit._source!);
  const named = found.filter(({ slug }) => slug === id).map((record) => record.id);
  const alike = byDistance(
    id,
    found.map((record) => record.id),
  );
  return { ids: [...new Set([...named, ...alike])].slice(0, NAMED), types: others.flat() };
}

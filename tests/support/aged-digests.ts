import type { Client } from "@elastic/elasticsearch";

/** Makes the sent digests of follows two days old, as if those days had passed: the next ones may be made at once. */
export async function ageDigests(client: Client, index: string, follows: readonly string[]): Promise<void> {
  await client.indices.refresh({ index });
  const at = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const query = { bool: { filter: [{ term: { kind: "sent-digest" } }, { terms: { webhook: [...follows] } }] } };
  const { hits } = await client.search({ index, query, size: 1000, _source: false });
  const operations = hits.hits.flatMap(({ _index, _id }) => [{ update: { _index, _id: _id! } }, { doc: { at } }]);
  if (operations.length > 0) await client.bulk({ operations });
}

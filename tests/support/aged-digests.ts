import type { Client } from "@elastic/elasticsearch";

/** Makes the sent digests of follows two days old, as if those days had passed: the next ones may be made at once. */
export async function ageDigests(client: Client, index: string, follows: readonly string[]): Promise<void> {
  await client.indices.refresh({ index });
  const at = new Date(Date.now() - 2 * 86_400_000).toISOString();
  await client.updateByQuery({
    index,
    query: { bool: { filter: [{ term: { kind: "sent-digest" } }, { terms: { webhook: [...follows] } }] } },
    script: { source: "ctx._source.at = params.at", params: { at } },
    conflicts: "proceed",
  });
}

import type { Client } from "@elastic/elasticsearch";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { type IndexNames, indexNames } from "@tranche/shared/engines/search/index-names";
import type { Settings } from "@tranche/shared/process/settings";

/** Asks the Elasticsearch of a start one question about the installation. */
export async function withClient<Answer>(
  { elasticsearchUrl: url }: { elasticsearchUrl: string },
  settings: Settings,
  ask: (client: Client, names: IndexNames) => Promise<Answer>,
): Promise<Answer> {
  const client = createSearchClient(
    { url, apiKey: settings.ELASTICSEARCH_API_KEY },
    { connections: 1, requestTimeoutMs: 30_000 },
  );
  try {
    return await ask(client, indexNames(settings.TRANCHE_NAMESPACE));
  } finally {
    await client.close();
  }
}

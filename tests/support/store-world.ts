import { announceEverything } from "@tranche/shared/protocol/generations/generation";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { indexNames, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { Redis } from "ioredis";
import type { Company, Investor, Round } from "./world.ts";
import { companyDocument, fundingDocument, investorDocument } from "./world-documents.ts";

/** Puts a made-up world straight into the read models of a namespace, and announces it as the indexer does: caches work from then on. */
export async function storeWorld(
  engines: { elasticsearchUrl: string; redisUrl: string },
  namespace: string,
  world: { rounds: Round[]; companies: Company[]; investors?: Investor[] },
  { shards = 1 } = {},
): Promise<void> {
  const client = createSearchClient({ url: engines.elasticsearchUrl }, { connections: 2, requestTimeoutMs: 60_000 });
  const names = indexNames(namespace);
  await ensureIndices(client, names, { shards, replicas: 0 });
  const put = async <Document extends object>(index: string, idField: keyof Document, documents: Document[]) => {
    if (documents.length === 0) return;
    for (let at = 0; at < documents.length; at += 2000) {
      const operations = documents
        .slice(at, at + 2000)
        .flatMap((document) => [{ index: { _id: String(document[idField]) } }, document]);
      const done = await client.bulk({ index, operations });
      if (done.errors)
        throw new Error(`a document was refused: ${JSON.stringify(done.items.find((item) => item.index?.error))}`);
    }
    await client.indices.refresh({ index });
  };
  await put(names.role("funding", "live"), "id", world.rounds.map(fundingDocument));
  await put(names.role("companies", "live"), "company_id", world.companies.map(companyDocument));
  await put(names.role("investors", "live"), "investor_id", (world.investors ?? []).map(investorDocument));
  await client.close();
  const redis = new Redis(engines.redisUrl);
  await announceEverything({ redis, namespace, tickets: { take: async () => Date.now() * 1000 } }, READ_MODELS);
  redis.disconnect();
}

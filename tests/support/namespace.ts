import { randomBytes } from "node:crypto";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { Redis } from "ioredis";

export type Engines = { elasticsearchUrl: string; redisUrl: string };

/** A namespace that nobody else has. */
export const newNamespace = (): string => `t${randomBytes(6).toString("hex")}`;

/**
 * Deletes all indices of a namespace, with their aliases, and all its Redis keys. Call it when no process uses the
 * namespace afterwards, because Tranche creates missing indices again.
 */
export async function deleteNamespace({ elasticsearchUrl, redisUrl }: Engines, namespace: string): Promise<void> {
  await Promise.all([deleteIndices(elasticsearchUrl, namespace), deleteKeys(redisUrl, namespace)]);
}

/** Deletes all indices of a namespace, where its Redis is thrown away. */
export async function deleteIndices(url: string, namespace: string): Promise<void> {
  const client = createSearchClient({ url }, { connections: 1, requestTimeoutMs: 30_000 });
  try {
    // Elasticsearch refuses to delete by wildcard, so list the names first.
    const found = await client.cat.indices({
      index: `${namespace}-*`,
      expand_wildcards: "all",
      h: "index",
      format: "json",
    });
    const index = found.map((row) => row.index!);
    if (index.length > 0) await client.indices.delete({ index });
    const { storeTemplate } = indexNames(namespace);
    await client.indices.deleteIndexTemplate({ name: storeTemplate }, { ignore: [404] });
  } finally {
    await client.close();
  }
}

async function deleteKeys(url: string, namespace: string): Promise<void> {
  const redis = new Redis(url);
  try {
    // Queues and generations have the namespace as hash tag; accounts have it in front of theirs.
    for (const match of [`{${namespace}}:*`, `${namespace}:*`]) {
      for await (const keys of redis.scanStream({ match, count: 1000 }) as AsyncIterable<string[]>) {
        if (keys.length > 0) await redis.unlink(keys);
      }
    }
  } finally {
    redis.disconnect();
  }
}

import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { type IndexNames, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";
import { type Layout, storeNames } from "@tranche/shared/engines/search/store-indices";
import { ensureIndices } from "./creation.ts";

const LOOK_EVERY_MS = 1000;
const TELL_EVERY_MS = 30_000;

/**
 * For processes that need no right to create anything: creates the missing indices where Elasticsearch allows it, and otherwise waits
 * until an indexer has created them. `tell` gets a line about missing ones.
 * @returns the names under which all of them are searched
 */
export async function ensureOrAwaitIndices(
  client: Client,
  names: IndexNames,
  layout: Layout,
  tell: (line: string) => void,
): Promise<string[]> {
  try {
    return await ensureIndices(client, names, layout);
  } catch (error) {
    if ((error as { meta?: { statusCode?: number } }).meta?.statusCode !== 403) throw error;
  }
  const stores = storeNames(names);
  const needed = [...stores, ...READ_MODELS.map((model) => names.role(model, "live"))];
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const missing = await missingOf(client, needed);
    if (missing.length === 0) return needed;
    if (waited % TELL_EVERY_MS === 0) {
      tell(
        `Elasticsearch does not have ${missing.join(", ")}, and this process may not create indices. Waiting for an indexer to create them: start one with the same TRANCHE_NAMESPACE.`,
      );
    }
    await pause(LOOK_EVERY_MS);
  }
}

async function missingOf(client: Client, needed: string[]): Promise<string[]> {
  const there = await Promise.all(needed.map((index) => retryForever(() => client.indices.exists({ index }))));
  return needed.filter((_index, position) => !there[position]);
}

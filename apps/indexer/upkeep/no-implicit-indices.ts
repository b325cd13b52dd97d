import type { Client } from "@elastic/elasticsearch";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";
import { storeNames } from "@tranche/shared/engines/search/store-indices";

/** Only one template applies to a name: the one with the highest priority. An operator's template for `*` has a lower one. */
const PRIORITY = 1_000_000;

/**
 * Makes Elasticsearch refuse writes to a store index that is not there, such as during a restore. It would otherwise create an empty
 * index with mappings that it guesses. Returns whether the credentials allow this.
 */
export async function forbidImplicitIndices(client: Client, names: IndexNames): Promise<boolean> {
  const answer = await retryForever(() =>
    client.indices.putIndexTemplate(
      { name: names.storeTemplate, ...storeTemplate(names) },
      { ignore: [403], meta: true },
    ),
  );
  return answer.statusCode !== 403;
}

/** The body of the index template. */
export const storeTemplate = (names: IndexNames) => ({
  index_patterns: storeNames(names),
  allow_auto_create: false,
  priority: PRIORITY,
});

import type { Client } from "@elastic/elasticsearch";
import { type IndexNames, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { wholeAnswer } from "@tranche/shared/engines/search/retry-forever";

const ANSWER_WITHIN_MS = 2000;

/**
 * Rejects unless every index that requests need exists and every shard of it answers: the live indices, and the accounts, which are read
 * for keys without a hot copy. A healthy cluster does not mean that: it is green without the indices, and those may be red.
 */
export async function assertAnswerable(client: Client, names: IndexNames): Promise<void> {
  const index = [...READ_MODELS.map((model) => names.role(model, "live")), names.accounts];
  wholeAnswer(
    await client.search(
      { index, size: 0, terminate_after: 1, track_total_hits: false, timeout: `${ANSWER_WITHIN_MS}ms` },
      { requestTimeout: ANSWER_WITHIN_MS },
    ),
  );
}

import type { Client, estypes } from "@elastic/elasticsearch";
import { refusalOf } from "@tranche/shared/engines/search/client";
import { type OnRetry, retryForever } from "@tranche/shared/engines/search/retry-forever";

/** `placed`: all copies that were waited for are there. `existed`: another process made it, or the reply to an earlier try was lost. */
type CreatedIndex = "placed" | "not placed" | "existed";

/** Creates an index of a name that is used once. Throws the engine's error when it refuses the index itself. */
export async function createIndex(
  client: Client,
  request: estypes.IndicesCreateRequest,
  onRetry?: OnRetry,
): Promise<CreatedIndex> {
  try {
    const { shards_acknowledged } = await retryForever(() => client.indices.create(request), onRetry);
    return shards_acknowledged ? "placed" : "not placed";
  } catch (error) {
    if (refusalOf(error)?.type === "resource_already_exists_exception") return "existed";
    throw error;
  }
}

import type { estypes } from "@elastic/elasticsearch";
import pRetry from "p-retry";
import { isStoreIndex } from "./index-names.ts";
import { searchFailureKind, isEngineError } from "./client.ts";

/** Called with the error after each failed attempt; attempts count from 1. */
export type OnRetry = (error: Error, attempt: number) => void;

/**
 * Calls Elasticsearch until it answers. Temporary failures (no connection, 429, 5xx, partial results) are retried without limit, with
 * exponential backoff up to 10 s and jitter. A missing store index is temporary, too: it is being restored, or an indexer creates it when it
 * starts. Any other request that Elasticsearch refuses throws at once.
 */
export function retryForever<T>(call: () => Promise<T>, onRetry?: OnRetry): Promise<T> {
  return pRetry(call, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: 100,
    maxTimeout: 10_000,
    randomize: true,
    shouldRetry: ({ error }) => isRepeated(error),
    onFailedAttempt: ({ error, attemptNumber }) => onRetry?.(error, attemptNumber),
  });
}

/** Whether `retryForever` calls again after this error. */
export const isRepeated = (error: Error): boolean =>
  error instanceof PartialAnswer ||
  (isEngineError(error) && (searchFailureKind(error) !== "refused" || lacksStoreIndex(error)));

type Missing = { type?: string; index?: string; reason?: string };

function lacksStoreIndex(error: Error): boolean {
  const {
    type,
    index = "",
    reason = "",
  } = (error as { meta?: { body?: { error?: Missing } } }).meta?.body?.error ?? {};
  if (type !== "index_not_found_exception") return false;
  // To a write, the engine names the index only within the reason.
  return isStoreIndex(/composable template \[(.+?)\]/.exec(reason)?.[1] ?? index);
}

/** A search timed out or a shard did not answer, so the result must not be used. */
export class PartialAnswer extends Error {
  override name = "PartialAnswer";
}

/** The documents of an `mget`, found or not. Throws PartialAnswer if a shard could not say. */
export function wholeDocuments<T>({ docs }: estypes.MgetResponse<T>): estypes.GetGetResult<T>[] {
  return docs.map((found) => {
    if ("error" in found) throw new PartialAnswer(`${found._id} could not be read: ${found.error.reason}`);
    return found;
  });
}

/** Throws PartialAnswer unless every shard answered in time. */
export function wholeAnswer<
  T extends { timed_out?: boolean; _shards: { failed: number; total: number; successful: number } },
>(answer: T): T {
  if (answer.timed_out || answer._shards.failed > 0 || answer._shards.successful < answer._shards.total) {
    throw new PartialAnswer("a search timed out or a shard did not answer");
  }
  return answer;
}

import pRetry from "p-retry";
import { engineTrouble, isEngineError } from "./client.ts";

/**
 * Calls Elasticsearch until it answers: trouble that passes (away, 429, 5xx, partial results) is waited out without end,
 * with growing pauses of up to 10 s and jitter. What the engine refuses is thrown at once.
 */
export function patiently<T>(call: () => Promise<T>, onTrouble?: (error: Error, attempt: number) => void): Promise<T> {
  return pRetry(call, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: 100,
    maxTimeout: 10_000,
    randomize: true,
    shouldRetry: ({ error }) =>
      error instanceof PartialAnswer || (isEngineError(error) && engineTrouble(error) !== "refused"),
    onFailedAttempt: ({ error, attemptNumber }) => onTrouble?.(error, attemptNumber),
  });
}

/** A search that timed out or that some shard did not answer: never an answer. */
export class PartialAnswer extends Error {
  override name = "PartialAnswer";
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

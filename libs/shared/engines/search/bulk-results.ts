import type { estypes } from "@elastic/elasticsearch";
import type { BulkResult } from "./bulk.ts";

/**
 * Throws when Elasticsearch refused items of `writeBulk` for good. A newer version that is already there is not a refusal. `what` names
 * the items in the error, in the plural.
 */
export function assertWritten(results: readonly BulkResult[], what: string): void {
  const refused = results.filter((result) => result !== "done" && result !== "superseded");
  const [first] = refused;
  if (first === undefined) return;
  const why = typeof first === "object" ? first.rejected : "their index is missing";
  throw new Error(`Elasticsearch refused ${refused.length} of ${results.length} ${what}: ${why}`);
}

/** Throws when an item of the client's own bulk failed, unless its status is one of `allowed` (409: another version is there). */
export function assertNoneFailed({ items }: estypes.BulkResponse, allowed: readonly number[] = []): void {
  for (const item of items) {
    const { error, status } = Object.values(item)[0]!;
    if (error && !allowed.includes(status)) throw new Error(`${error.type}: ${error.reason}`);
  }
}

import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import pMap from "p-map";
import { type BulkItem, type BulkPart, bulkParts, bytesOf } from "./bulk-part.ts";
import { type OnRetry, retryForever } from "./retry-forever.ts";

export type BulkResult =
  /** Written, or already there; removed, or not there. */
  | "done"
  /** A newer version is there, or another one than the one that was read. */
  | "superseded"
  /** `require_alias` found no alias of that name, or the index is missing and must not be created. */
  | "alias_missing"
  | { rejected: string };

const MAX_IN_FLIGHT = 2;
/** The name of its span; the client has one for the calls of its own methods only. */
const BULK = { name: "bulk" };

type BulkOptions = {
  /** The index or alias of the items that name none. */
  index?: string;
  requireAlias?: boolean;
  /** Asked when an alias or index is missing: whether to try again. */
  aliasExpected?: () => Promise<boolean>;
  onRetry?: OnRetry;
};

/** Writes every item, as `sendBulk` does. */
export const writeBulk = (client: Client, items: Iterable<BulkItem>, options?: BulkOptions): Promise<BulkResult[]> =>
  sendBulk(client, bulkParts(items), options);

/**
 * Sends the parts of a bulk and reports the result of each item, in order. Temporary failures of the request or of single items (429,
 * 5xx, an index that is closed to writes) are retried without limit; the other items do not wait for them.
 */
export async function sendBulk(
  client: Client,
  parts: readonly BulkPart[],
  options: BulkOptions = {},
): Promise<BulkResult[]> {
  const results = await pMap(parts, (part) => sendPart(client, part, options), { concurrency: MAX_IN_FLIGHT });
  return results.flat();
}

async function sendPart(client: Client, part: BulkPart, options: BulkOptions): Promise<BulkResult[]> {
  const results: BulkResult[] = part.ends.map(() => "done");

  const send = async (positions: readonly number[]): Promise<BulkAnswer | { invalid: string }> => {
    const bulkBody = bytesOf(part, positions);
    const path = options.index === undefined ? "/_bulk" : `/${encodeURIComponent(options.index)}/_bulk`;
    // Only the listed fields of each item: the full answer would be a fifth of the request's size.
    const querystring = {
      filter_path: "items.*.status,items.*.error",
      ...(options.requireAlias ? { require_alias: true } : {}),
    };
    try {
      return await retryForever(
        () => client.transport.request<BulkAnswer>({ method: "POST", path, querystring, bulkBody, meta: BULK }),
        options.onRetry,
      );
    } catch (error) {
      if (!isInvalid(error)) throw error;
      return { invalid: (error as Error).message };
    }
  };

  const write = async (positions: readonly number[]) => {
    let open = positions;
    for (let attempt = 1; open.length > 0; attempt++) {
      const sent = open;
      const answer = await send(sent);
      if ("invalid" in answer) {
        // One item makes the engine refuse the whole request: bisection finds it.
        const half = Math.ceil(sent.length / 2);
        if (sent.length === 1) results[sent[0]!] = { rejected: answer.invalid };
        else for (const some of [sent.slice(0, half), sent.slice(half)]) await write(some);
        return;
      }
      const putOff: number[] = [];
      const missed: number[] = [];
      let reason = "";
      answer.items.forEach((item, i) => {
        const position = sent[i]!;
        const outcome = Object.values(item)[0]!;
        const result = outcomeOf(outcome);
        if (result === "again") {
          putOff.push(position);
          reason ||= ` (${outcome.error?.type ?? outcome.status})`;
        } else results[position] = result;
        if (result === "alias_missing") missed.push(position);
      });
      open = missed.length > 0 && (await options.aliasExpected?.()) ? [...putOff, ...missed] : putOff;
      if (open.length > 0) {
        const why =
          open.length > putOff.length ? "met a missing index: is it being restored?" : `were put off${reason}`;
        options.onRetry?.(new Error(`${open.length} items of a bulk ${why}`), attempt);
        await pause(Math.min(10_000, 100 * 2 ** attempt) * (0.5 + Math.random() / 2));
      }
    }
  };

  await write([...part.ends.keys()]);
  return results;
}

type BulkOutcome = {
  status: number;
  error?: { type: string; reason: string; caused_by?: { reason?: string } };
};
export type BulkAnswer = { items: Record<string, BulkOutcome>[] };

/** Whether an item of a bulk is sent again. An index may be closed to writes for a while, such as by a full disk. */
export const isSentAgain = ({ status, error }: BulkOutcome): boolean =>
  status === 429 || status >= 500 || error?.type === "cluster_block_exception";

function outcomeOf(outcome: BulkOutcome): BulkResult | "again" {
  if (outcome.status < 300) return "done";
  if (outcome.status === 409) return "superseded";
  if (isSentAgain(outcome)) return "again";
  // A removal of a missing document has no error.
  if (outcome.status === 404) return outcome.error ? "alias_missing" : "done";
  const { type = "unknown", reason = "", caused_by } = outcome.error ?? {};
  return { rejected: `${type}: ${reason}${caused_by?.reason ? ` (${caused_by.reason})` : ""}` };
}

/** Whether the content of the request is at fault, such as one id that is too long. Missing rights are not. */
function isInvalid(error: unknown): boolean {
  const status = (error as { meta?: { statusCode?: number } }).meta?.statusCode;
  return status === 400 || status === 413;
}

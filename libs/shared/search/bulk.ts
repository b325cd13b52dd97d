import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { patiently } from "./patiently.ts";

/** One document of a bulk. `version` is external: an older one never replaces a newer one. */
export type BulkItem = {
  /** An index, or an alias when `requireAlias` is set. */
  index: string;
  id: string;
  /** null removes the document. */
  document: object | null;
  version?: { number: number; type: "external" | "external_gte" };
  /** Only as long as nobody has written the document since it was read. */
  unchangedSince?: { seqNo: number; primaryTerm: number };
};

export type BulkResult =
  /** Written, or already there; removed, or not there. */
  | "done"
  /** A newer version is there, or another one than the one that was read. */
  | "superseded"
  /** `require_alias` found no alias of that name. */
  | "alias_missing"
  | { rejected: string };

const MAX_BYTES = 3_000_000;
const MAX_IN_FLIGHT = 2;

export type BulkOptions = { requireAlias?: boolean; onTrouble?: (error: Error, attempt: number) => void };

/** Writes every item, as `sendBulk` does. */
export const writeBulk = (client: Client, items: Iterable<BulkItem>, options?: BulkOptions): Promise<BulkResult[]> =>
  sendBulk(client, Array.from(items, bulkLines), options);

/** What is sent of an item. Bytes, for V8 would go on copying texts, or documents, while they are under way. */
export function bulkLines(item: BulkItem): Buffer {
  return Buffer.from(item.document ? `${action(item)}\n${JSON.stringify(item.document)}\n` : `${action(item)}\n`);
}

/**
 * Sends the lines of every item and says of each what became of it, in order. Passing trouble, of the whole request or of single
 * items (429, 5xx), is waited out without end; the rest of the items do not wait for it. Nothing goes unreported.
 */
export async function sendBulk(
  client: Client,
  lines: readonly Buffer[],
  options: BulkOptions = {},
): Promise<BulkResult[]> {
  const results: BulkResult[] = Array.from({ length: lines.length }, () => "done");
  const parts = partsBySize(lines);

  const send = async (positions: readonly number[]): Promise<BulkAnswer | { invalid: string }> => {
    const bulkBody = Buffer.concat(positions.map((position) => lines[position]!));
    // Of each item only what is asked for: else the answer is a fifth of what was sent.
    const querystring = {
      filter_path: "items.*.status,items.*.error",
      ...(options.requireAlias ? { require_alias: true } : {}),
    };
    try {
      return await patiently(
        () => client.transport.request<BulkAnswer>({ method: "POST", path: "/_bulk", querystring, bulkBody }),
        options.onTrouble,
      );
    } catch (error) {
      if (!isInvalid(error)) throw error;
      return { invalid: (error as Error).message };
    }
  };

  const writePart = async (positions: number[]) => {
    let open = positions;
    for (let attempt = 1; open.length > 0; attempt++) {
      const sent = open;
      const answer = await send(sent);
      if ("invalid" in answer) {
        // One item makes the engine refuse all of them: halves find out which.
        const half = Math.ceil(sent.length / 2);
        if (sent.length === 1) results[sent[0]!] = { rejected: answer.invalid };
        else for (const part of [sent.slice(0, half), sent.slice(half)]) await writePart(part);
        return;
      }
      open = [];
      answer.items.forEach((item, i) => {
        const outcome = Object.values(item)[0]!;
        const result = outcomeOf(outcome);
        if (result === "again") open.push(sent[i]!);
        else results[sent[i]!] = result;
      });
      if (open.length > 0) {
        options.onTrouble?.(new Error(`${open.length} items of a bulk were put off`), attempt);
        await pause(Math.min(10_000, 100 * 2 ** attempt) * (0.5 + Math.random() / 2));
      }
    }
  };

  const queue = parts.values();
  const lane = async () => {
    for (const part of queue) await writePart(part);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_IN_FLIGHT, parts.length) }, lane));
  return results;
}

type BulkOutcome = { status: number; error?: { type: string; reason: string; caused_by?: { reason?: string } } };
type BulkAnswer = { items: Record<string, BulkOutcome>[] };

function action(item: BulkItem): string {
  const version = item.version && { version: item.version.number, version_type: item.version.type };
  const since = item.unchangedSince && {
    if_seq_no: item.unchangedSince.seqNo,
    if_primary_term: item.unchangedSince.primaryTerm,
  };
  return JSON.stringify({
    [item.document ? "index" : "delete"]: { _index: item.index, _id: item.id, ...version, ...since },
  });
}

function outcomeOf(outcome: BulkOutcome): BulkResult | "again" {
  if (outcome.status < 300) return "done";
  if (outcome.status === 409) return "superseded";
  if (outcome.status === 429 || outcome.status >= 500) return "again";
  // Without an error: a removal of what is not there.
  if (outcome.status === 404) return outcome.error ? "alias_missing" : "done";
  const { type = "unknown", reason = "", caused_by } = outcome.error ?? {};
  return { rejected: `${type}: ${reason}${caused_by?.reason ? ` (${caused_by.reason})` : ""}` };
}

/** Whether what was sent is at fault: one id that is too long is enough. A refused user, for one, is not. */
function isInvalid(error: unknown): boolean {
  const status = (error as { meta?: { statusCode?: number } }).meta?.statusCode;
  return status === 400 || status === 413;
}

/** Positions of the lines in parts of bounded size. */
function partsBySize(lines: readonly Buffer[]): number[][] {
  const parts: number[][] = [];
  let bytes = MAX_BYTES;
  lines.forEach((line, position) => {
    if (bytes >= MAX_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(position);
    bytes += line.length;
  });
  return parts;
}

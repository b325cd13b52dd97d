/** One document of a bulk. `version` is external: an older one never replaces a newer one. */
export type BulkDocument = {
  /** An index, or an alias when `requireAlias` is set. Left out where the bulk names one for all. */
  index?: string;
  id: string;
  /** null removes the document. */
  document: object | null;
  /** Where the document has another shard than its id gives it. */
  routing?: string;
  version?: { number: number; type: "external" | "external_gte" };
  /** Only as long as nobody has written the document since it was read. */
  unchangedSince?: { seqNo: number; primaryTerm: number };
};

/** The same with its own index. */
export type BulkItem = BulkDocument & { index: string };

/**
 * One request's part of a bulk, as one buffer: V8 would copy strings and objects between generations while the request is under way,
 * and each separate buffer brings the next full garbage collection nearer. The lines of the i-th item end before `ends[i]`.
 */
export type BulkPart = { readonly bytes: Buffer; readonly ends: readonly number[] };

/** A part is full when it has this number of bytes. */
const FULL_BYTES = 3_000_000;

/**
 * The buffer in which lines are encoded, reused from part to part, so encoding one part must not encode another one in between. It
 * grows to twice the largest part.
 */
let room = Buffer.allocUnsafeSlow(64 * 1024);

/** The items, in order, in parts of bounded size; each item is let go when the next one is asked for. */
export function bulkParts(items: Iterable<BulkDocument>): BulkPart[] {
  const parts: BulkPart[] = [];
  let ends: number[] = [];
  let length = 0;
  const close = () => {
    parts.push({ bytes: Buffer.from(room.subarray(0, length)), ends });
    [ends, length] = [[], 0];
  };
  for (const item of items) {
    const lines = linesOf(item);
    const needed = length + Buffer.byteLength(lines);
    if (needed > room.length) room = Buffer.concat([room.subarray(0, length)], 2 * needed);
    length += room.write(lines, length);
    ends.push(length);
    if (length >= FULL_BYTES) close();
  }
  if (ends.length > 0) close();
  return parts;
}

/** The bytes of some items of a part. */
export function bytesOf({ bytes, ends }: BulkPart, positions: readonly number[]): Buffer {
  if (positions.length === ends.length) return bytes;
  return Buffer.concat(positions.map((position) => bytes.subarray(ends[position - 1] ?? 0, ends[position])));
}

function linesOf(item: BulkDocument): string {
  return item.document ? `${action(item)}\n${JSON.stringify(item.document)}\n` : `${action(item)}\n`;
}

function action(item: BulkDocument): string {
  const version = item.version && { version: item.version.number, version_type: item.version.type };
  const since = item.unchangedSince && {
    if_seq_no: item.unchangedSince.seqNo,
    if_primary_term: item.unchangedSince.primaryTerm,
  };
  return JSON.stringify({
    [item.document ? "index" : "delete"]: {
      _index: item.index,
      _id: item.id,
      routing: item.routing,
      ...version,
      ...since,
    },
  });
}

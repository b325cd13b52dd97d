import type { Client } from "@elastic/elasticsearch";
import type { FundingRow } from "@tranche/read-models/documents/funding";
import type { FeedPosition } from "@tranche/read-models/feed/position";
import { deleteWhere } from "@tranche/shared/engines/search/delete-where";
import type { Guard } from "@tranche/shared/engines/search/held-document";
import { wholeDocuments } from "@tranche/shared/engines/search/retry-forever";
import { searchAllHits } from "@tranche/shared/engines/search/search-all";
import type { Way } from "./follow.ts";

/** The news of a follow, told once. A sent one is kept for a while without its rows, so that mails are counted and none is made again. */
export type Digest = {
  kind: "digest" | "sent-digest";
  /** Id of the follow. */
  webhook: string;
  account: string;
  /** How it is told; missing in those from before there was Slack. */
  way?: Way;
  /** When it was made. */
  at: string;
  /** Rows of the list that came or changed, as the API shows them. */
  rows: FundingRow[];
  /** Rows that came or changed beside those. */
  more: number;
  /** Rows that were removed, or do not match any more. */
  removed: number;
  /** Where the next digest goes on. */
  next: FeedPosition;
  /** When the next digest is due. */
  next_at: string;
  /** When somebody began to mail it; null: nobody has. */
  claimed_at: string | null;
};

/** A digest and the guard of its next write. */
export type ReadDigest = { id: string; digest: Digest; guard: Guard };

/** Digests, between the indexer that makes them and the dashboard that mails them. */
export type DigestStore = {
  /** Stores the digest of a position, unless there is one already; returns the one that is there. */
  make(digest: Digest, place: string): Promise<Digest>;
  /** Those that are not sent, the oldest first, at most 200. `claimedBefore`: without those that were claimed since that time; `way`: only those that are told so. */
  unsent(wanted?: { claimedBefore: Date; way: Way }): Promise<ReadDigest[]>;
  /** When those of a follow since a time were made, in ms, the oldest first, and whether one of any time is not sent yet. */
  timesOf(follow: string, since: Date): Promise<{ made: number[]; isUnsent: boolean }>;
  /** Claims a digest as of a time, unless somebody else was faster. */
  claim(read: ReadDigest, at: Date): Promise<ReadDigest | undefined>;
  /** Notes that a digest was mailed, or that nobody wants it any more. */
  sent(claimed: ReadDigest): Promise<void>;
  /** Removes what was made before a time. */
  forget(before: Date): Promise<number>;
};

/** Digests that are read at once to be told. */
const MOST_UNSENT = 200;

const isWanted = (
  { claimed_at, way = "mail" }: Pick<Digest, "claimed_at" | "way">,
  wanted: { claimedBefore: Date; way: Way },
): boolean => way === wanted.way && (claimed_at === null || claimed_at <= wanted.claimedBefore.toISOString());

/** Kept in the index of deliveries. */
export function createDigestStore(client: Client, index: string): DigestStore {
  const isDigest = { terms: { kind: ["digest", "sent-digest"] } };
  const write = async ({ id, digest, guard }: ReadDigest, next: Partial<Digest>): Promise<ReadDigest | undefined> => {
    const document = { ...digest, ...next };
    const answer = await client.index({ index, id, document, ...guard }, { ignore: [404, 409], meta: true });
    if (answer.statusCode >= 400) return undefined;
    const { _seq_no, _primary_term } = answer.body;
    return { id, digest: document, guard: { if_seq_no: _seq_no!, if_primary_term: _primary_term! } };
  };
  return {
    async make(digest, place) {
      const id = `digest:${digest.webhook}:${place}`;
      const made = await client.index(
        { index, id, document: digest, op_type: "create" },
        { ignore: [409], meta: true },
      );
      if (made.statusCode < 400) return digest;
      return (await client.get<Digest>({ index, id }))._source!;
    },
    async unsent(wanted) {
      await client.indices.refresh({ index });
      // Without their rows: those of suspended accounts stay for days, and the others come after them.
      const pages = searchAllHits<Pick<Digest, "claimed_at" | "way">>(client, {
        index,
        query: { term: { kind: "digest" } },
        sort: ["at", "webhook"],
        source: ["claimed_at", "way"],
        impatient: true,
      });
      const ids: string[] = [];
      for await (const page of pages) {
        for (const { _id, _source } of page) {
          if (!wanted || isWanted(_source!, wanted)) ids.push(_id!);
        }
        if (ids.length >= MOST_UNSENT) break;
      }
      if (ids.length === 0) return [];
      const read = wholeDocuments(await client.mget<Digest>({ index, ids: ids.slice(0, MOST_UNSENT) }));
      return read.flatMap(({ _id, _source, _seq_no, _primary_term }) =>
        _source?.kind === "digest"
          ? [{ id: _id, digest: _source, guard: { if_seq_no: _seq_no!, if_primary_term: _primary_term! } }]
          : [],
      );
    },
    async timesOf(follow, since) {
      await client.indices.refresh({ index });
      const found = await client.search<Pick<Digest, "at" | "kind">>({
        index,
        size: 100,
        query: {
          bool: {
            filter: [isDigest, { term: { webhook: follow } }],
            should: [{ range: { at: { gt: since.toISOString() } } }, { term: { kind: "digest" } }],
            minimum_should_match: 1,
          },
        },
        sort: [{ at: "asc" }],
        _source: ["at", "kind"],
      });
      const all = found.hits.hits.map(({ _source }) => _source!);
      const made = all.map(({ at }) => Date.parse(at)).filter((at) => at > since.getTime());
      return { made, isUnsent: all.some(({ kind }) => kind === "digest") };
    },
    claim: (read, at) => write(read, { claimed_at: at.toISOString() }),
    sent: async (claimed) => void (await write(claimed, { kind: "sent-digest", rows: [] })),
    async forget(before) {
      await client.indices.refresh({ index });
      return deleteWhere(client, index, {
        bool: { filter: [isDigest, { range: { at: { lt: before.toISOString() } } }] },
      });
    },
  };
}

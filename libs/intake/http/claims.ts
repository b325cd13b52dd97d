import { createHash } from "node:crypto";
import type { Client, estypes } from "@elastic/elasticsearch";
import {
  type Held,
  hold,
  type Holdable,
  isHolderDead,
  readHoldable,
} from "@tranche/shared/engines/search/held-document";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";

/** A key that an upload claims: it is read once, and a repetition gets the first answer. Stored in the control index. */
export type Claim = Holdable & {
  kind: typeof CLAIM_KIND;
  run: string | null;
  /** A digest of what was asked for beside the bytes. */
  asked: string;
  /** When it was claimed, ISO time. */
  at: string;
  /** Missing until everything that was read is in the queue. */
  outcome?: Outcome;
  /** The holder has answered. */
  ended: boolean;
};

/** The answer of an upload; `document` is its body as text, `sha256` of its decoded bytes. */
export type Outcome = { status: number; document: string; sha256: string };

export const CLAIM_KIND = "ingest-claim";
/** How long an answer is kept. */
const KEEP_MS = 24 * 3_600_000;
/** Old claims that one new one deletes. */
const MAX_FORGOTTEN = 100;

type Claimed =
  /** A claim whose `outcome` is there without `ended` belongs to a sender that still waits: others are told that it is under way. */
  | { kind: "own"; claim: Held<Claim> }
  | { kind: "under way"; run: string | null }
  | { kind: "ended"; asked: string; outcome: Outcome };

export type Claims = { claim(owner: string, key: string, asked: string): Promise<Claimed> };

/**
 * Of two connections at once one gets the key. The key of a process that died is free after 30 s; if everything was in the queue by
 * then, its outcome counts. `now`: real time in ms.
 */
export function createClaims(client: Client, names: Pick<IndexNames, "control">, now: () => number = Date.now): Claims {
  const index = names.control;

  const forgetOld = async () => {
    const old = new Date(now() - KEEP_MS).toISOString();
    const query: estypes.QueryDslQueryContainer = {
      bool: { filter: [{ term: { kind: CLAIM_KIND } }, { range: { at: { lt: old } } }] },
    };
    const { hits } = await client.search({
      index,
      size: MAX_FORGOTTEN,
      query,
      seq_no_primary_term: true,
      _source: false,
    });
    const operations = hits.hits.map(({ _id, _seq_no, _primary_term }) => ({
      delete: { _id: _id!, if_seq_no: _seq_no!, if_primary_term: _primary_term! },
    }));
    if (operations.length > 0) await client.bulk({ index, operations });
  };

  return {
    async claim(owner, key, asked) {
      const id = `${CLAIM_KIND}-${createHash("sha256").update(`${owner}\n${key}`).digest("hex")}`;
      for (;;) {
        const found = await readHoldable<Claim>(client, index, id);
        if (found) {
          const { document: claim } = found;
          if (!claim.ended && !isHolderDead(claim, now())) return { kind: "under way", run: claim.run };
          const isKept = Date.parse(claim.at) + KEEP_MS > now();
          if (claim.outcome && isKept) return { kind: "ended", asked: claim.asked, outcome: claim.outcome };
        }
        const at = new Date(now()).toISOString();
        const document = { kind: CLAIM_KIND, id, run: null, asked, at, ended: false } as const;
        const claim = await hold<Claim>(client, index, { document, guard: found?.guard, now });
        if (!claim) continue;
        void forgetOld().catch(() => {});
        return { kind: "own", claim };
      }
    },
  };
}

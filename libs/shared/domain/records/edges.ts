import { hash } from "node:crypto";
import { byCodePoint } from "../text/order.ts";
import type { StoredEdge, StoredStake } from "./stored.ts";

/** The document of an edge, with the id that follows from what it connects. */
export const edgeOf = (document: StoredEdge): { id: string; document: StoredEdge } => ({
  id: hashOf([document.type, document.record_id, document.company_id]),
  document,
});

/** The document of a stake, with the id that follows from the round and its investors. */
export function stakeOfRound(stake: { round_id: string; investor_ids: readonly string[]; updated_at: string }): {
  id: string;
  document: StoredStake;
} {
  const investor_ids = [...new Set(stake.investor_ids)].toSorted(byCodePoint);
  const id = hashOf([stake.round_id, ...investor_ids]);
  return { id, document: { id, ...stake, investor_ids } };
}

/** An id made of several texts. */
export const hashOf = (parts: readonly string[]): string => hash("sha256", JSON.stringify(parts), "base64url");

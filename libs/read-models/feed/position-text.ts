import { createHmac } from "node:crypto";
import { seal, type Sealed, unseal } from "../query/sealed.ts";
import type { FeedPosition } from "./position.ts";

/** A position as callers keep it, with the digest of the list and filters that it belongs to. */
export type ListPosition = { digest: string; position: FeedPosition };

/** `proof`: that this service gave it. Positions for plans with exports have none. */
export type ProvenPosition = ListPosition & { proof?: string | undefined };

/** In characters. */
export const MAX_POSITION_LENGTH = 2048;
/** Other than that of cursors, so that neither is taken for the other. */
const VERSION = 101;
/** 96 bits. */
const PROOF_LENGTH = 16;

/** As text: its members with a NUL in between. Ids have none. */
export function encodePosition({ digest, position, proof }: ProvenPosition): string {
  const text = textOf(position);
  return seal(VERSION, { digest, text: proof === undefined ? text : `${text}\0${proof}` });
}

/** Proves that a service with this key gave a position out. Anybody can make the checksum of a position. */
export const proofOf = (key: string, { digest, position }: ListPosition): string =>
  createHmac("sha256", key)
    .update(`${digest}\0${textOf(position)}`)
    .digest("base64url")
    .slice(0, PROOF_LENGTH);

const textOf = ({ epoch, asof, known, changed, id }: FeedPosition): string =>
  [epoch, asof, changed, id, known].join("\0");

/** Reads a position in linear time. Undefined for anything that `encodePosition` did not make. Its proof is not checked. */
export function decodePosition(text: string): ProvenPosition | undefined {
  const read = unseal(VERSION, text, MAX_POSITION_LENGTH);
  return read && positionIn(read);
}

function positionIn({ digest, text }: Sealed): ProvenPosition | undefined {
  const [epoch, asof, changed, id, known, proof, ...more] = text.split("\0");
  if (!epoch || id === undefined || known === undefined || more.length > 0) return undefined;
  const tickets = { asof: Number(asof), changed: Number(changed), known: Number(known) };
  if (!Object.values(tickets).every(isTicket)) return undefined;
  return { digest, position: { epoch, ...tickets, id }, proof };
}

const isTicket = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

import { seal, type Sealed, unseal } from "../cursor/sealed.ts";
import type { FeedPosition } from "./position.ts";

/** A position as callers keep it, with the digest of the list and filters that it belongs to. */
export type ListPosition = { digest: string; position: FeedPosition };

/** In characters. */
export const MAX_POSITION_LENGTH = 2048;
/** Other than that of cursors, so that neither is taken for the other. */
const VERSION = 101;

/** As text: its members with a NUL in between. Ids have none. */
export function encodePosition({ digest, position }: ListPosition): string {
  const { epoch, asof, known, changed, id } = position;
  return seal(VERSION, { digest, text: [epoch, asof, changed, id, known].join("\0") });
}

/** Reads a position in linear time. Undefined for anything that `encodePosition` did not make. */
export function decodePosition(text: string): ListPosition | undefined {
  const read = unseal(VERSION, text, MAX_POSITION_LENGTH);
  return read && positionIn(read);
}

function positionIn({ digest, text }: Sealed): ListPosition | undefined {
  // Earlier positions lack `known`.
  const [epoch, asof, changed, id, known = "0", ...more] = text.split("\0");
  if (!epoch || id === undefined || more.length > 0) return undefined;
  const tickets = { asof: Number(asof), changed: Number(changed), known: Number(known) };
  if (!Object.values(tickets).every(isTicket)) return undefined;
  return { digest, position: { epoch, ...tickets, id } };
}

const isTicket = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Compares in constant time: the position of a difference and the lengths do not matter. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * Whether a browser sent this for a page of another origin. Another port of the same host is another origin. `ownOrigin` is that of the
 * public address, which differs from the Host header behind a proxy that rewrites it.
 */
export function isForeign(headers: IncomingHttpHeaders, ownOrigin?: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const { origin, host } = headers;
  if (origin === undefined || origin === ownOrigin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}

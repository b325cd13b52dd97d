import { createHmac, randomBytes } from "node:crypto";
import { createCookie } from "@tranche/http/pages/cookie";
import { isSame } from "@tranche/http/server/same-origin";
import type { Context } from "koa";
import { LRUCache } from "lru-cache";

const SESSION_HOURS = 12;
const SESSION_MS = SESSION_HOURS * 3_600_000;
/** Sessions that were signed out of early and are remembered until they end by themselves. */
const MAX_ENDED = 10_000;

type OperatorSession = { id: string; expires: number };

/** Sessions of people on the operators' pages. */
export type OperatorSessions = {
  /** Signs a browser in. */
  start(ctx: Context): OperatorSession;
  /** The session of a request; undefined when it has none, or one that is forged, over or signed out of. */
  find(ctx: Context): OperatorSession | undefined;
  /** Signs the browser out. A copy of its cookie stops working too. */
  end(ctx: Context): void;
};

/**
 * A session is its cookie: an id and an expiry, signed with a key that only the operators' token gives. So changing the token ends all
 * sessions, and the cookie does not contain the token. `port`: on which browsers reach the pages. `now` in ms.
 */
export function createOperatorSessions(token: string, port: string, now: () => number = Date.now): OperatorSessions {
  // The port speaks HTTP, so a `secure` cookie would never be sent.
  const cookie = createCookie({ name: `tranche_operators_${port}`, path: "/", secure: false });
  const ended = new LRUCache<string, true>({ max: MAX_ENDED, ttl: SESSION_MS });

  const find = (ctx: Context) => {
    const session = readSession(cookie.read(ctx), token, now());
    return session && !ended.has(session.id) ? session : undefined;
  };
  return {
    find,
    start(ctx) {
      const session = { id: randomBytes(12).toString("base64url"), expires: now() + SESSION_MS };
      cookie.write(ctx, signedSession(session, token), new Date(session.expires));
      return session;
    },
    end(ctx) {
      const session = find(ctx);
      if (session) ended.set(session.id, true);
      cookie.clear(ctx);
    },
  };
}

/** A session as its cookie has it. */
export function signedSession({ id, expires }: OperatorSession, token: string): string {
  const text = `${expires}.${id}`;
  return `${text}.${signatureOf(text, token)}`;
}

/** Reads the value of a cookie. Undefined when its signature is wrong or its time is over. */
export function readSession(value: string | undefined, token: string, now: number): OperatorSession | undefined {
  const [, text, expires, id, signature] = /^((\d{1,15})\.([\w-]{16}))\.([\w-]{43})$/.exec(value ?? "") ?? [];
  if (text === undefined || !isSame(signature!, signatureOf(text, token))) return undefined;
  return Number(expires) > now ? { id: id!, expires: Number(expires) } : undefined;
}

const signatureOf = (text: string, token: string): string =>
  createHmac("sha256", token).update(`session of an operator: ${text}`).digest("base64url");

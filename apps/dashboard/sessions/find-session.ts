import { hashOfKey } from "@tranche/shared/accounts/api-key";
import type { SessionStore } from "@tranche/shared/accounts/session-store";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { network } from "@tranche/http/server/network";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { tooMany } from "@tranche/http/errors/page-error";

/** Wrong cookies that one IP address may send to one process in a minute, as many as wrong API keys. */
const MOST_WRONG = 60;
const WINDOW_SECONDS = 60;
/** No session lasts longer. */
const KNOWN_SECONDS = 14 * 86_400;

/** Finds the session of a cookie. Throws `too_many_requests` with `Retry-After` when its IP address has sent too many wrong ones. */
export type FindSession = (token: string, address: string) => ReturnType<SessionStore["find"]>;

/** The sessions that Redis knows. */
export type KnownSessions = {
  /** Notes that a token, given by its hash, is one of a session. Never rejects. */
  note(hash: string): Promise<void>;
  forget(hash: string): Promise<void>;
  /** False also while Redis is away. */
  has(hash: string): Promise<boolean>;
};

export function createKnownSessions(
  redis: Pick<RedisClient, "set" | "del" | "exists">,
  namespace: string,
): KnownSessions {
  const keyOf = (hash: string) => `${namespace}:dashboard:session:${hash}`;
  return {
    note: (hash) => redis.set(keyOf(hash), "1", "EX", KNOWN_SECONDS).then(nothing, nothing),
    forget: (hash) => redis.del(keyOf(hash)).then(nothing, nothing),
    has: (hash) =>
      redis.exists(keyOf(hash)).then(
        (count) => count === 1,
        () => false,
      ),
  };
}
const nothing = () => {};

/**
 * Anybody can make up cookies, and each costs a look-up. Past the limit of an IP address, only cookies that Redis knows are looked up: a
 * right one is admitted, whatever others send from its address.
 */
export function createFindSession(sessions: Pick<SessionStore, "find">, known: KnownSessions): FindSession {
  const wrong = new RateLimiterMemory({ points: MOST_WRONG, duration: WINDOW_SECONDS });
  return async (token, address) => {
    const from = network(address);
    const hash = hashOfKey(token);
    const sent = await wrong.get(from);
    if (sent && sent.consumedPoints >= MOST_WRONG && !(await known.has(hash))) {
      throw tooMany("Too many wrong cookies come from this IP address.", sent.msBeforeNext / 1000);
    }
    const found = await sessions.find(token);
    if (found) return found;
    await known.forget(hash);
    await wrong.penalty(from);
    return undefined;
  };
}

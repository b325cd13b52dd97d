import { hash } from "node:crypto";
import type { Membership } from "./account.ts";
import { familyOf, hashOfKey } from "./api-key.ts";

/** The application that somebody connects. */
export type GrantedClient = {
  /** Its client_id. */
  id: string;
  /** As it calls itself: a stranger's text. */
  name: string;
  /** The host of its metadata document, or null for one that has registered itself. */
  host: string | null;
};

/** A refresh token of a grant. The text itself is stored nowhere. */
type RefreshToken = {
  hash: string;
  /** ISO time at which another one took its place; null while it can be used. */
  replaced_at: string | null;
};

/**
 * What a member has allowed an application: to call `/mcp` for the account. It rests on the membership, as a session does. It begins as a
 * code, whose use makes a grant of it.
 */
export type Grant = Membership & {
  kind: "code" | "grant";
  key_id: string;
  account: string;
  by?: Membership | undefined;
  client: GrantedClient;
  /** Where the code was sent, and its challenge (PKCE, S256). */
  redirect_uri: string;
  challenge: string;
  /** The address that its tokens are for. */
  resource: string;
  code_hash: string;
  created_at: string;
  /** ISO time: of a code, when it can't be used any more; of a grant, when it is over unless it is refreshed. */
  expires_at: string;
  ended_at: string | null;
  /** ISO time of the last refresh, or of the use of the code; null before. */
  refreshed_at: string | null;
  /** Hash of the part that all its refresh tokens have in common: any of them is known by it, however old. */
  family_hash: string | null;
  /** Those that can be used, and those that were replaced in the last seconds. */
  refresh_tokens: RefreshToken[];
};

export const grantDocumentId = (id: string): string => `grant:${id}`;

/** How long a code can be used. */
const CODE_MS = 60_000;
/** How long after its replacement a refresh token may come again from a client that did not get the answer, or runs twice. */
const GRACE_MS = 10_000;
const DAY_MS = 86_400_000;
/** A grant is over after this time without a refresh, */
const UNUSED_MS = 30 * DAY_MS;
/** and after this time, whatever it was used for. */
const LASTS_MS = 180 * DAY_MS;
const ACCESS_TOKEN_MS = 3_600_000;
/** A client that sends one refresh token again and again within the grace period gets no more tokens than this. */
const MOST_TOKENS = 20;

const iso = (ms: number): string => new Date(ms).toISOString();
const isPast = (time: string, now: number): boolean => Date.parse(time) <= now;

/** Raised for the client: a code or a refresh token does not work. */
export class GrantRefused extends Error {
  override name = "GrantRefused";
}

/** Whether a grant lets its application in. */
export const isOpen = ({ kind, ended_at, expires_at }: Grant, now: number): boolean =>
  kind === "grant" && ended_at === null && !isPast(expires_at, now);

/** Whether a grant lets its application in, or will when its code is used: it takes one of the places of its account. */
export const takesPlace = (grant: Grant, now: number): boolean => isOpen({ ...grant, kind: "grant" }, now);

/** A grant that waits for its code. `now` in ms, as everywhere here. */
export function newGrant(
  input: Pick<
    Grant,
    "key_id" | "account" | "email" | "stamp" | "by" | "client" | "redirect_uri" | "challenge" | "resource"
  >,
  code: string,
  now: number,
): Grant {
  return {
    kind: "code",
    ...input,
    code_hash: hashOfKey(code),
    created_at: iso(now),
    expires_at: iso(now + CODE_MS),
    ended_at: null,
    refreshed_at: null,
    family_hash: null,
    refresh_tokens: [],
  };
}

/** The proof that a client sends with a code. */
export type CodeUse = { code: string; clientId: string; redirectUri: string; resource: string; verifier: string };
/** The proof that a client sends with a refresh token. */
export type RefreshUse = { refreshToken: string; clientId: string; resource: string };

/** The verdict on a code or a refresh token: give tokens, refuse it, or refuse it and end the grant, because somebody has it who should not. */
export type Verdict = "good" | { refused: string } | { stolen: string };

const OTHER_CLIENT = { refused: "It was given to another client_id." };
const OVER = { refused: "The application was disconnected, or was not used for too long. Connect it again." };
const NO_CODE = { refused: "There is no such code." };

/** Judges a code. A wrong client, redirect or verifier does not use it up. */
export function judgeCode(grant: Grant, use: CodeUse, now: number): Verdict {
  if (hashOfKey(use.code) !== grant.code_hash) return NO_CODE;
  if (grant.kind === "grant") return { stolen: "an authorization code was used twice" };
  if (grant.client.id !== use.clientId) return OTHER_CLIENT;
  if (isPast(grant.expires_at, now)) return { refused: "The code has expired: it can be used for 60 s." };
  if (grant.redirect_uri !== use.redirectUri)
    return { refused: "redirect_uri is not the one that the code was sent to." };
  if (grant.resource !== use.resource) return { refused: "The code is for another resource." };
  if (challengeOf(use.verifier) !== grant.challenge) return { refused: "code_verifier does not match the challenge." };
  return "good";
}

/** Judges a refresh token. */
export function judgeRefresh(grant: Grant, use: RefreshUse, now: number): Verdict {
  if (grant.family_hash !== familyHash(use.refreshToken)) return { refused: "There is no such refresh token." };
  if (grant.client.id !== use.clientId) return OTHER_CLIENT;
  if (!isOpen(grant, now)) return OVER;
  if (grant.resource !== use.resource) return { refused: "The refresh token is for another resource." };
  const known = grant.refresh_tokens.find(({ hash: stored }) => stored === hashOfKey(use.refreshToken));
  if (known && isUsable(known, now)) return "good";
  return { stolen: "a refresh token was used again" };
}

/** A grant after a good code or refresh token, `used`, was exchanged for `refreshToken`. */
export function exchanged(
  grant: Grant,
  { used, refreshToken }: { used: string; refreshToken: string },
  now: number,
): Grant {
  const isCurrent = grant.refresh_tokens.some(
    ({ hash: stored, replaced_at }) => stored === hashOfKey(used) && replaced_at === null,
  );
  const refresh_tokens = grant.refresh_tokens
    .filter((token) => isUsable(token, now))
    // An old one that came again leaves those that took its place as they are: the client has either.
    .map((token) => (isCurrent ? { ...token, replaced_at: token.replaced_at ?? iso(now) } : token))
    .slice(-(MOST_TOKENS - 1));
  return {
    ...grant,
    kind: "grant",
    expires_at: iso(Math.min(now + UNUSED_MS, Date.parse(grant.created_at) + LASTS_MS)),
    refreshed_at: iso(now),
    family_hash: familyHash(refreshToken),
    refresh_tokens: [...refresh_tokens, { hash: hashOfKey(refreshToken), replaced_at: null }],
  };
}

/** When an access token ends that is made now. */
export const accessTokenEnd = (grant: Grant, now: number): string =>
  iso(Math.min(now + ACCESS_TOKEN_MS, Date.parse(grant.created_at) + LASTS_MS));

const isUsable = ({ replaced_at }: RefreshToken, now: number): boolean =>
  replaced_at === null || Date.parse(replaced_at) + GRACE_MS > now;

const familyHash = (refreshToken: string): string => hashOfKey(familyOf(refreshToken));

/** The S256 challenge of a verifier (RFC 7636). */
const challengeOf = (verifier: string): string => hash("sha256", verifier, "base64url");

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { StoredSecret } from "./webhook.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 24;
/** How long the old secret signs beside the new one. */
export const OVERLAP_MS = 86_400_000;

/** A new secret, as its owner gets it and as libraries of Standard Webhooks take it. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

/** Encrypts a secret for one webhook. `key`: 32 bytes. */
export function sealSecret(key: Buffer, webhook: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(webhook));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** Undefined when the secret was sealed with another key, or for another webhook. */
export function openSecret(key: Buffer, webhook: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64");
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(webhook))
      .setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
    return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/**
 * Why nothing is sent to a webhook none of whose secrets can be opened, for its owner. It counts as a failed attempt and does not pause the
 * webhook at once, because a single indexer may have been started with a wrong key.
 */
export const UNREADABLE_SECRET = "The service can't read the webhook's secret. Rotate the secret.";

/**
 * The secrets that sign at a time, the newest first. `now`: ms. Those that were sealed with another key are left out: after the key was
 * replaced, a rotation is enough.
 */
export function secretsAt(key: Buffer, webhook: string, stored: readonly StoredSecret[], now: number): string[] {
  return stored
    .filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now)
    .flatMap(({ sealed }) => openSecret(key, webhook, sealed) ?? []);
}

/** The stored secrets of a webhook after it got a new one: the one before signs for a day more. `now`: ms. */
export function rotated(stored: readonly StoredSecret[], sealed: string, now: number): StoredSecret[] {
  const [before] = stored;
  const overlap = before ? [{ ...before, expires_at: new Date(now + OVERLAP_MS).toISOString() }] : [];
  return [{ sealed, expires_at: null }, ...overlap];
}

/**
 * The stored secrets without one that a rotation added. `before`: what was stored before it. The secret that it replaced takes its place,
 * also where another rotation came after it.
 */
export function withdrawn(
  stored: readonly StoredSecret[],
  sealed: string,
  before: readonly StoredSecret[],
): StoredSecret[] {
  if (stored[0]?.sealed === sealed) return [...before];
  return stored.flatMap((secret) =>
    secret.sealed === sealed ? before.slice(0, 1).map((old) => ({ ...old, expires_at: secret.expires_at })) : [secret],
  );
}

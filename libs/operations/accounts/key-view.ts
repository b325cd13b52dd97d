import type { KeyRecord } from "@tranche/shared/accounts/account";

/** Keys that expire within this time are marked. */
const SOON_MS = 14 * 86_400_000;

export type KeyStatus = "works" | "expires_soon" | "rotating" | "expired" | "revoked";

/** A key as people see it, on all pages and on the command line. */
export type KeyView = {
  id: string;
  name: string;
  prefix: string;
  created_at: string;
  /** To the minute; null until it was used. */
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  status: KeyStatus;
};

/** `now` in ms. */
export function keyView(key: KeyRecord, now: number): KeyView {
  const { key_id, name, prefix, created_at, last_used_at, expires_at, revoked_at } = key;
  return {
    id: key_id,
    name,
    prefix,
    created_at,
    last_used_at: last_used_at ?? null,
    expires_at,
    revoked_at,
    status: statusOf(key, now),
  };
}

function statusOf({ revoked_at, expires_at, replaced_by }: KeyRecord, now: number): KeyStatus {
  if (revoked_at !== null) return "revoked";
  if (expires_at === null) return "works";
  const left = Date.parse(expires_at) - now;
  if (left <= 0) return "expired";
  if (replaced_by !== undefined) return "rotating";
  return left <= SOON_MS ? "expires_soon" : "works";
}

/** Whether the API admits the key. `now` in ms. */
export function isWorking(key: KeyRecord, now: number): boolean {
  const status = statusOf(key, now);
  return status !== "revoked" && status !== "expired";
}

import type { SessionRecord } from "./account.ts";

const DAY_MS = 86_400_000;
/** A session is over after this time, whatever it was used for. */
const LASTS_MS = 14 * DAY_MS;
/** And after this time without use. */
const UNUSED_MS = 7 * DAY_MS;

/** When a session that starts now ends at the latest, as ISO time. */
export const latestEnd = (now: number): string => new Date(now + LASTS_MS).toISOString();

/** When a session ends if it is not used again, as ISO time. */
export function endOfSession({
  created_at,
  last_used_at = created_at,
  expires_at,
}: Pick<SessionRecord, "created_at" | "last_used_at" | "expires_at">): string {
  const unused = new Date(Date.parse(last_used_at) + UNUSED_MS).toISOString();
  return unused < expires_at ? unused : expires_at;
}

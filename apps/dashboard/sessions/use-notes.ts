import type { AccountStore } from "@tranche/shared/accounts/account-store";
import type { SessionRecord } from "@tranche/shared/accounts/account";
import type { Logger } from "@tranche/shared/process/logger";
import type { KnownSessions } from "./find-session.ts";

const MINUTE_MS = 60_000;

/** Notes that a session was used, to the minute, after the request, also for the limit of wrong cookies. Never rejects. */
export type NoteUse = (session: SessionRecord) => void;

/** `now` is real time in ms. */
export function createUseNotes(
  accounts: Pick<AccountStore, "noteUses">,
  known: Pick<KnownSessions, "note">,
  log: Logger,
  now: () => number = Date.now,
): NoteUse {
  const underWay = new Set<string>();
  return ({ key_hash, last_used_at = "" }) => {
    const at = new Date(Math.floor(now() / MINUTE_MS) * MINUTE_MS).toISOString();
    if (last_used_at >= at || underWay.has(key_hash)) return;
    underWay.add(key_hash);
    void known.note(key_hash);
    accounts
      .noteUses([{ hash: key_hash, at }])
      .catch((error: Error) => log.debug({ reason: error.message }, "the use of a session could not be noted"))
      .finally(() => underWay.delete(key_hash));
  };
}

import type { ClientStore } from "@tranche/shared/accounts/client-store";
import type { GrantStore } from "@tranche/shared/accounts/grant-store";
import type { SessionStore } from "@tranche/shared/accounts/session-store";
import type { Logger } from "@tranche/shared/process/logger";
import type { LinkStore } from "@tranche/shared/accounts/link-store";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than usage by key is kept, so that its charts know which requests came from the dashboard and from applications. */
const KEEP_SESSIONS_MS = 100 * DAY_MS;
const KEEP_LINKS_MS = DAY_MS;
/** So long the members page shows that somebody has not accepted. */
const KEEP_INVITATIONS_MS = 30 * DAY_MS;

/** Deletes old links and invitations, ended sessions, codes, tokens and grants of applications that are over, and unused applications, now and every hour. Several processes may do so at once. Returns a function that stops it. */
export function startCleanUp(
  stores: {
    links: Pick<LinkStore, "forgetExpired">;
    invitations: Pick<LinkStore, "forgetExpired">;
    sessions: Pick<SessionStore, "forgetEnded">;
    grants: Pick<GrantStore, "forgetEnded">;
    clients: Pick<ClientStore, "forgetUnused">;
  },
  log: Logger,
): () => void {
  const cleanUp = async () => {
    try {
      const links = await stores.links.forgetExpired(new Date(Date.now() - KEEP_LINKS_MS));
      const invitations = await stores.invitations.forgetExpired(new Date(Date.now() - KEEP_INVITATIONS_MS));
      const sessions = await stores.sessions.forgetEnded(new Date(Date.now() - KEEP_SESSIONS_MS));
      const grants = await stores.grants.forgetEnded(new Date(Date.now() - KEEP_SESSIONS_MS));
      const clients = await stores.clients.forgetUnused();
      const deleted = { links, invitations, sessions, grants, clients };
      if (Object.values(deleted).some((count) => count > 0)) log.info(deleted, "deleted what was over");
    } catch (error) {
      log.warn(
        { reason: (error as Error).message },
        "old sign-in links, sessions and tokens of applications could not be deleted",
      );
    }
  };
  void cleanUp();
  const timer = setInterval(() => void cleanUp(), HOUR_MS);
  return () => clearInterval(timer);
}

import type { SessionStore } from "../accounts/session-store.ts";
import type { LinkStore } from "./link-store.ts";
import type { MemberStore } from "./member-store.ts";

/**
 * Removes somebody from an account. Their sessions end, and links that they have not used stop working. Returns false when they were no
 * member; the rest is done anyway, so that a removal that was cut short can be repeated.
 */
export async function removeMember(
  stores: {
    members: Pick<MemberStore, "remove">;
    links: Pick<LinkStore, "cancel">;
    sessions: Pick<SessionStore, "endAll">;
  },
  { account, email }: { account: string; email: string },
  options: { keepLast?: boolean } = {},
): Promise<boolean> {
  const removed = await stores.members.remove(account, email, options);
  await stores.links.cancel(account, email);
  await stores.sessions.endAll(account, email);
  return removed;
}

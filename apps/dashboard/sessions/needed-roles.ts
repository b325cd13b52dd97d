import type { Rights, SessionRecord } from "@tranche/shared/accounts/account";
import { mayDo, type Role } from "@tranche/shared/accounts/role";
import { PageError } from "@tranche/http/errors/page-error";
import { ALL_OPERATIONS } from "@tranche/operations/accounts/operations";

/** All requests of the pages are below it. */
export const PAGES_API = "/dashboard/api";

const rows = ALL_OPERATIONS.flatMap(([, { members }]) => members ?? []);

/** The role that each request needs; `null`: it needs no session. A request that is not here is refused. */
export const NEEDED_ROLES: Readonly<Record<string, Role | null>> = {
  ...Object.fromEntries(rows.map(({ route, role }) => [route, role])),
  "GET /sign-in": null,
  "POST /sign-in/look": null,
  "POST /sign-in/link": null,
  "POST /sign-in/email": null,
  "POST /unsubscribe/look": null,
  "POST /unsubscribe": null,
  "POST /invitations/look": null,
  "POST /invitations/accept": null,
  "POST /sign-out": "viewer",
  "GET /session": "viewer",
  "GET /sessions": "viewer",
  "DELETE /sessions/:id": "viewer",
  "POST /sign-out-everywhere": "viewer",
  "GET /parameters": "viewer",
  "GET /v1/{*path}": "viewer",
  "GET /usage/daily": "viewer",
  "GET /usage/errors": "viewer",
  "GET /searches": "viewer",
  "POST /searches": "viewer",
  "PUT /searches/:id": "viewer",
  "DELETE /searches/:id": "viewer",
  "GET /searches/:id/follow": "viewer",
  "GET /follows": "viewer",
  "POST /follows": "viewer",
  "POST /follows/slack": "developer",
  "PUT /follows/:id": "viewer",
  "DELETE /follows/:id": "viewer",
  "POST /searches/:id/feeds": "developer",
  "POST /feeds/:id/revoke": "developer",
  "GET /applications": "developer",
  "DELETE /applications/:id": "developer",
  "POST /oauth/look": "developer",
  "POST /oauth/decide": "developer",
  "GET /webhooks": "developer",
  "POST /webhooks": "developer",
  "GET /webhooks/:id": "developer",
  "POST /webhooks/:id/pause": "developer",
  "POST /webhooks/:id/resume": "developer",
  "POST /webhooks/:id/rotate": "developer",
  "POST /webhooks/:id/test": "developer",
  "POST /webhooks/:id/resend": "developer",
  "DELETE /webhooks/:id": "developer",
  "GET /log": "admin",
};

/**
 * What a member decides about themselves alone. A session by a link of somebody else is refused it: its rights are the lower ones of the
 * two, and these need none that whoever made the link could have lost.
 */
export const OWN_SESSION_ONLY: ReadonlySet<string> = new Set([
  ...rows.flatMap(({ route, ownSession }) => (ownSession ? [route] : [])),
  "POST /sign-out-everywhere",
  "DELETE /sessions/:id",
  "POST /follows",
  "POST /follows/slack",
  "PUT /follows/:id",
  "DELETE /follows/:id",
]);

const requestOf = (method: string, route: string): string =>
  `${method === "HEAD" ? "GET" : method} ${route.replace(PAGES_API, "")}`;

/** The role that a request to a route needs. Throws for one that has no row, or needs no session. */
export function neededRole(method: string, route: string): Role {
  const request = requestOf(method, route);
  const needed = NEEDED_ROLES[request];
  if (!needed) throw new Error(`NEEDED_ROLES has no role for ${request}`);
  return needed;
}

/** Throws `forbidden`, with who can change that, when a role may not do what needs another. */
export function assertMayDo({ role, admins }: Rights, needed: Role): void {
  if (mayDo(role, needed)) return;
  const can = needed === "admin" ? "Only an admin" : `Only a ${needed} or an admin`;
  const who = admins.length === 0 ? "the operators of this service" : shortList(admins);
  throw new PageError("forbidden", `${can} of this account can do that, and your role is ${role}. Ask ${who}.`);
}

/** The other member by whose link a session began; undefined when it is its member's own. */
export const otherMakerOf = ({ by, member }: Pick<SessionRecord, "by" | "member">): string | undefined =>
  by && by.email !== member ? by.email : undefined;

/** Why a session may not do what its member alone decides; undefined when it is their own. */
export function notOwn(session: Pick<SessionRecord, "by" | "member">): string | undefined {
  const maker = otherMakerOf(session);
  if (maker === undefined) return undefined;
  const own = `a link that was mailed to ${session.member} or made by an operator`;
  return `This session began with a link of ${maker}. Only ${session.member} can do that: sign in by ${own}.`;
}

/** Throws `forbidden` when a session by somebody else's link may not send a request to a route. */
export function assertOwnSession(session: Pick<SessionRecord, "by" | "member">, method: string, route: string): void {
  const reason = OWN_SESSION_ONLY.has(requestOf(method, route)) ? notOwn(session) : undefined;
  if (reason !== undefined) throw new PageError("forbidden", reason);
}

const SHOWN = 3;
const shortList = (of: readonly string[]): string =>
  of.length <= SHOWN ? of.join(", ") : `${of.slice(0, SHOWN).join(", ")} or another admin`;

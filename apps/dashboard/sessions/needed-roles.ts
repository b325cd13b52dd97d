import type { Rights } from "@tranche/shared/accounts/account";
import { mayDo, type Role } from "@tranche/shared/accounts/role";
import { PageError } from "@tranche/http/errors/page-error";

/** All requests of the pages are below it. */
export const PAGES_API = "/dashboard/api";

/** The role that each request needs; `null`: it needs no session. A request that is not here is refused. */
export const NEEDED_ROLES: Readonly<Record<string, Role | null>> = {
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
  "PUT /follows/:id": "viewer",
  "DELETE /follows/:id": "viewer",
  "POST /searches/:id/feeds": "developer",
  "POST /feeds/:id/revoke": "developer",
  "GET /applications": "developer",
  "DELETE /applications/:id": "developer",
  "POST /oauth/look": "developer",
  "POST /oauth/decide": "developer",
  "GET /keys": "developer",
  "POST /keys": "developer",
  "POST /keys/:id/rotate": "developer",
  "POST /keys/:id/revoke": "developer",
  "GET /webhooks": "developer",
  "POST /webhooks": "developer",
  "GET /webhooks/:id": "developer",
  "POST /webhooks/:id/pause": "developer",
  "POST /webhooks/:id/resume": "developer",
  "POST /webhooks/:id/rotate": "developer",
  "POST /webhooks/:id/test": "developer",
  "POST /webhooks/:id/resend": "developer",
  "DELETE /webhooks/:id": "developer",
  "GET /members": "viewer",
  "POST /members/leave": "viewer",
  "POST /members": "admin",
  "POST /members/invite": "admin",
  "POST /members/role": "admin",
  "POST /members/link": "admin",
  "POST /members/remove": "admin",
  "GET /log": "admin",
};

/** The role that a request to a route needs. Throws for one that has no row, or needs no session. */
export function neededRole(method: string, route: string): Role {
  const request = `${method === "HEAD" ? "GET" : method} ${route.replace(PAGES_API, "")}`;
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

const SHOWN = 3;
const shortList = (of: readonly string[]): string =>
  of.length <= SHOWN ? of.join(", ") : `${of.slice(0, SHOWN).join(", ")} or another admin`;

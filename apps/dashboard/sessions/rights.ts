import type { Account, Rights, SessionRecord } from "@tranche/shared/accounts/account";
import { mayDo, type Role } from "@tranche/shared/accounts/role";
import { PageError } from "@tranche/http/errors/page-error";

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

/** Throws `forbidden` when a session began with somebody else's link. */
export function assertOwnSession(session: Pick<SessionRecord, "by" | "member">): void {
  const reason = notOwn(session);
  if (reason !== undefined) throw new PageError("forbidden", reason);
}

const SHOWN = 3;

const shortList = (of: readonly string[]): string =>
  of.length <= SHOWN ? of.join(", ") : `${of.slice(0, SHOWN).join(", ")} or another admin`;

/** Throws `account_suspended`: members of a suspended account can look, revoke, pause and delete, but create and change nothing. */
export function assertActive({ status }: Account): void {
  if (status !== "active") throw new PageError("account_suspended", "This account is suspended.");
}

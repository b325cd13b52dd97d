import type Router from "@koa/router";
import type { Membership, SessionRecord } from "@tranche/shared/accounts/account";
import { INVITATION_DAYS, LINK_MINUTES } from "@tranche/shared/accounts/member";
import { mayDo, type Role } from "@tranche/shared/accounts/role";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { bodyOf } from "@tranche/http/server/json-body";
import { givenEmail, givenRole } from "@tranche/operations/accounts/given";
import { keysByMaker } from "../keys/makers.ts";
import type { Invited } from "../mail/invitations.ts";
import type { SignedIn } from "../sessions/signed-in.ts";
import { adderOf } from "./adder.ts";
import { addRequests } from "./requests.ts";
import type { DashboardParts } from "./parts.ts";

/** A member. `keys`: names of the working keys that they made, which stay whatever becomes of them; only admins see them. */
export type MemberView = {
  email: string;
  role: Role;
  added_at: string;
  added_by: string;
  is_you: boolean;
  keys: readonly string[];
  /** When the invitation that nobody has accepted yet expires, or has expired; null without one. */
  invited_until: string | null;
};
export type MembersView = { members: MemberView[]; by_email: boolean };
/** A member who was invited, and how the invitation gets to them. */
export type InvitedMember = { email: string; role: Role; days: number } & Invited;
/** A link that signs a member in once. It is shown once. */
export type MemberLink = { email: string; url: string; minutes: number };

const emailBody = z.object({ email: givenEmail });
const roleBody = z.object({ email: givenEmail, role: givenRole });
const MAX_MEMBERS = 200;

/** The members of the session's account. All see them; admins add and remove them, and give them roles. */
export function addMembers(router: Router, parts: DashboardParts): void {
  const { requireSession, accountsAs, membersAs, followsAs, linksAs, invitationsAs, signInUrl, limits, cookie } = parts;

  /** Counts the mail of an invitation. */
  const spendMail = async (account: string, email: string) => {
    if (!parts.signInLinks) return;
    await limits.spend("mails_of_account", account);
    await limits.spend("mails_to", email);
  };
  const invite = async (
    { account, session, actor }: SignedIn,
    { email, role }: { email: string; role: Role },
  ): Promise<InvitedMember> => {
    const member = { account: account.account, name: account.name, email, role };
    const sent = await parts.invite(invitationsAs(actor), member, makerOf(session));
    return { email, role, days: INVITATION_DAYS, ...sent };
  };

  const remove = async (actor: string, account: string, email: string): Promise<boolean> => {
    const removed = await membersAs(actor).remove(account, email, { keepAdmin: true });
    // Also of one who was removed before, in case the process died in between.
    await followsAs(actor).removeInSlack(account, email);
    return removed;
  };

  addRequests(router, requireSession, {
    async "GET /members"({ account, session, rights }): Promise<MembersView> {
      const all = await membersAs("dashboard").ofAccount(account.account);
      const keys = mayDo(rights.role, "admin")
        ? await keysByMaker(accountsAs("dashboard"), account.account)
        : undefined;
      const invitations = await invitationsAs("dashboard").unusedOf(account.account);
      const until = new Map(invitations.map(({ email, expires_at }) => [email, expires_at]));
      const members = all.map(({ email, role, added_at, added_by }) => ({
        email,
        role,
        added_at,
        added_by: adderOf({ added_by }),
        is_you: email === session.member,
        keys: keys?.get(email) ?? [],
        invited_until: until.get(email) ?? null,
      }));
      return { members, by_email: parts.signInLinks !== undefined };
    },

    async "POST /members"(signedIn, ctx) {
      const { account, actor, assertStill } = signedIn;
      const { email, role } = bodyOf(ctx, roleBody);
      await spendMail(account.account, email);
      const wanted = { account: account.account, email, role };
      return invite(signedIn, await membersAs(actor).add(wanted, { most: MAX_MEMBERS, mayStay: assertStill }));
    },

    async "POST /members/invite"(signedIn, ctx) {
      const { account } = signedIn.account;
      const { email } = bodyOf(ctx, emailBody);
      const member = await membersAs("dashboard").one(account, email);
      if (!member) throw noMember(email);
      await spendMail(account, email);
      return invite(signedIn, member);
    },

    async "POST /members/role"({ account, actor, assertStill }, ctx) {
      const { email, role } = bodyOf(ctx, roleBody);
      if (!(await membersAs(actor).setRole(account.account, email, role, assertStill))) throw noMember(email);
    },

    async "POST /members/link"({ account: { account }, session, actor }, ctx): Promise<MemberLink> {
      const { email } = bodyOf(ctx, emailBody);
      if (!(await membersAs("dashboard").one(account, email))) throw noMember(email);
      const secret = await linksAs(actor).create({ account, email }, { by: makerOf(session), noted: true });
      return { email, url: signInUrl(secret), minutes: LINK_MINUTES };
    },

    async "POST /members/remove"({ account, actor }, ctx) {
      const { email } = bodyOf(ctx, emailBody);
      if (!(await remove(actor, account.account, email))) throw noMember(email);
    },

    async "POST /members/leave"({ account, session, actor }, ctx) {
      await remove(actor, account.account, session.member);
      cookie.clear(ctx);
    },
  });
}

/** Whoever made the first of a chain of links answers for all of them. */
const makerOf = ({ by, member, stamp }: SessionRecord): Membership => by ?? { email: member, stamp };

const noMember = (email: string) => new PageError("not_found", `${email} is not a member of this account.`);

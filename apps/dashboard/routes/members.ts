import type { Membership, SessionRecord } from "@tranche/shared/accounts/account";
import { INVITATION_DAYS, LINK_MINUTES } from "@tranche/shared/accounts/member";
import { mayDo, type Role } from "@tranche/shared/accounts/role";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { givenEmail, givenRole } from "@tranche/operations/accounts/given";
import { keysByMaker } from "../keys/makers.ts";
import type { SignedIn } from "../sessions/signed-in.ts";
import { adderOf } from "./adder.ts";
import { request } from "./requests.ts";
import type { DashboardParts } from "./parts.ts";

const emailBody = z.object({ email: givenEmail });
const roleBody = z.object({ email: givenEmail, role: givenRole });
const MAX_MEMBERS = 200;

/** The members of the session's account. All see them; admins add and remove them, and give them roles. */
export function memberRequests(parts: DashboardParts) {
  const { accountsAs, membersAs, followsAs, linksAs, invitationsAs, signInUrl, limits, cookie } = parts;

  /** Counts the mail of an invitation. */
  const spendMail = async (account: string, email: string) => {
    if (!parts.signInLinks) return;
    await limits.spend("mails_of_account", account);
    await limits.spend("mails_to", email);
  };
  /** Invites a member. Returns how the invitation gets to them. */
  const invite = async ({ account, session, actor }: SignedIn, { email, role }: { email: string; role: Role }) => {
    const member = { account: account.account, name: account.name, email, role };
    const sent = await parts.invite(invitationsAs(actor), member, makerOf(session));
    return { email, role, days: INVITATION_DAYS, ...sent };
  };

  const remove = async (actor: string, account: string, email: string): Promise<boolean> => {
    const removed = await membersAs(actor).remove(account, email, { keepAdmin: true });
    // Also of one who was removed before, in case the process died in between.
    await followsAs(actor).removeOfMember(account, email);
    return removed;
  };

  return {
    "GET /members": request({}, async ({ account, session, rights }) => {
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
        /** Names of the working keys that they made, which stay whatever becomes of them. Only admins see them. */
        keys: keys?.get(email) ?? [],
        /** When the invitation that nobody has accepted yet expires, or has expired; null without one. */
        invited_until: until.get(email) ?? null,
      }));
      return { members, by_email: parts.signInLinks !== undefined };
    }),

    "POST /members": request({ body: roleBody }, async (asked) => {
      const { account, actor, assertStill, body } = asked;
      const { email, role } = body;
      await spendMail(account.account, email);
      const wanted = { account: account.account, email, role };
      return invite(asked, await membersAs(actor).add(wanted, { most: MAX_MEMBERS, mayStay: assertStill }));
    }),

    "POST /members/invite": request({ body: emailBody }, async (asked) => {
      const { account } = asked.account;
      const { email } = asked.body;
      const member = await membersAs("dashboard").one(account, email);
      if (!member) throw noMember(email);
      await spendMail(account, email);
      return invite(asked, member);
    }),

    "POST /members/role": request(
      { body: roleBody },
      async ({ account, actor, assertStill, body: { email, role } }) => {
        if (!(await membersAs(actor).setRole(account.account, email, role, assertStill))) throw noMember(email);
      },
    ),

    /** A link that signs a member in once. It is shown once. */
    "POST /members/link": request({ body: emailBody }, async ({ account: { account }, session, actor, body }) => {
      const { email } = body;
      if (!(await membersAs("dashboard").one(account, email))) throw noMember(email);
      const secret = await linksAs(actor).create({ account, email }, { by: makerOf(session), audited: true });
      return { email, url: signInUrl(secret), minutes: LINK_MINUTES };
    }),

    "POST /members/remove": request({ body: emailBody }, async ({ account, actor, body: { email } }) => {
      if (!(await remove(actor, account.account, email))) throw noMember(email);
    }),

    "POST /members/leave": request({}, async ({ account, session, actor, ctx }) => {
      await remove(actor, account.account, session.member);
      cookie.clear(ctx);
    }),
  };
}

/** Whoever made the first of a chain of links answers for all of them. */
const makerOf = ({ by, member, stamp }: SessionRecord): Membership => by ?? { email: member, stamp };

const noMember = (email: string) => new PageError("not_found", `${email} is not a member of this account.`);

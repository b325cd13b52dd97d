import type { Membership } from "./account.ts";
import type { Role } from "./role.ts";

/** A person who may sign in to the dashboard of an account. The address is trimmed and in lower case. */
export type Member = Membership & {
  kind: "member";
  account: string;
  added_at: string;
  /** The actor who added them, as in the audit log. */
  added_by: string;
};

/** A member with their role, which is stored with those of the account's other members. */
export type MemberWithRole = Member & { role: Role };

/** A sign-in link signs a member in; an invitation tells a new member that there is an account, and leads to a way in. */
export type LinkKind = "link" | "invitation";

/** A link of a member, which can be used once. The secret in it is stored as a hash. `by`: the member who made it, if it was one. */
export type MemberLink = Membership & {
  kind: LinkKind;
  account: string;
  by?: Membership | undefined;
  created_at: string;
  expires_at: string;
  used_at: string | null;
};

/** How long a sign-in link and an invitation can be used. */
export const LINK_MINUTES = 15;
export const INVITATION_DAYS = 7;

const MAX_EMAIL = 254;

/** Letters and digits with the few signs that addresses have. Others, such as `/`, would let mail programs make a link of it. */
const EMAIL = /^[\p{L}\p{M}\p{N}._+'-]{1,64}@[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u;

/** An e-mail address as it is compared and stored; undefined when it can't be one. */
export function emailOf(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_EMAIL && EMAIL.test(email) ? email : undefined;
}

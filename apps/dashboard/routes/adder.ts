import type { Member } from "@tranche/shared/accounts/member";

/** The name of whoever added a member, for members. The names of operators are not for customers. */
export const adderOf = ({ added_by }: Pick<Member, "added_by">): string =>
  added_by.startsWith("member:") ? added_by.slice("member:".length) : "the operators";

/** The roles of members, the least first: each may do what those before it may. */
export const ROLES = ["viewer", "developer", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The roles of an account by e-mail address; null of who is being removed. An account from before there were roles has none. */
export type Roles = Readonly<Record<string, Role | null>>;

/** Whether a role may do what needs another. */
export const mayDo = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** The role that may do what all of these may; `viewer` of none. */
export const lowest = (roles: readonly Role[]): Role => ROLES.find((role) => roles.includes(role)) ?? "viewer";

/** The role of a member. Members from before there were roles are admins; members who were added without one since are viewers. */
export function roleOf(roles: Roles | undefined, email: string): Role {
  if (roles === undefined) return "admin";
  return (Object.hasOwn(roles, email) ? roles[email] : undefined) ?? "viewer";
}

export const adminsOf = (roles: Roles): string[] => Object.keys(roles).filter((email) => roles[email] === "admin");

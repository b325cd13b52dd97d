/** A person who may sign in to the dashboard of an account. */
export type Member = {
  kind: "member";
  account: string;
  /** Trimmed and in lower case. */
  email: string;
  added_at: string;
  /** The actor who added them, as in the audit log. */
  added_by: string;
};

/** A link that signs a member in once. The secret in it is stored as a hash. */
export type SignInLink = {
  kind: "link";
  account: string;
  email: string;
  created_at: string;
  expires_at: string;
  used_at: string | null;
};

/** How long a link can be used. */
export const LINK_MINUTES = 15;

const MAX_EMAIL = 254;

/** An e-mail address as it is compared and stored; undefined when it can't be one. */
export function emailOf(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_EMAIL && /^[^\s@<>"(),:;\\[\]\p{C}]+@[^\s@<>"(),:;\\[\]\p{C}]+$/u.test(email)
    ? email
    : undefined;
}

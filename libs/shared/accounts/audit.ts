/** What operators and owners do to accounts and keys. */
export type AuditAction =
  | "account.create"
  | "account.set_plan"
  | "account.suspend"
  | "account.resume"
  | "account.delete"
  | "key.create"
  | "key.rotate"
  | "key.revoke";

/** Who did what, when. It never holds a key. */
export type AuditEntry = {
  kind: "audit";
  audit_id: string;
  /** ISO time. */
  at: string;
  /** `ops:<user>@<machine>` for the command line, `account:<handle>` for an owner. */
  actor: string;
  action: AuditAction;
  account: string;
  key_id?: string;
  details?: Readonly<Record<string, string>>;
};

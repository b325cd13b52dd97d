/** The actions of operators and owners: on accounts and keys, and on the installation as a whole. */
export type AuditAction =
  | "account.create"
  | "account.set_plan"
  | "account.suspend"
  | "account.resume"
  | "account.throttle"
  | "account.unthrottle"
  | "account.delete"
  | "key.create"
  | "key.rotate"
  | "key.revoke"
  | "member.add"
  | "member.remove"
  | "member.role"
  | "member.link"
  | "member.invite"
  | "session.start"
  | "session.end"
  | "session.end_all"
  | "application.allow"
  | "application.end"
  | "feed.create"
  | "feed.revoke"
  | "follow.create"
  | "follow.change"
  | "follow.pause"
  | "follow.delete"
  | "webhook.create"
  | "webhook.activate"
  | "webhook.refuse"
  | "webhook.pause"
  | "webhook.resume"
  | "webhook.start"
  | "webhook.rotate"
  | "webhook.delete"
  | "ingest"
  | "ingest_token.create"
  | "ingest_token.revoke"
  | "mapping.put"
  | "reindex"
  | "reindex.cancel"
  | "rollback"
  | "failed.retry"
  | "failed.discard"
  | "losses.resolve"
  | "verify.repair"
  | "backup"
  | "restore";

export type AuditDetails = Readonly<Record<string, string>>;

/** One action, with its actor and time. It never holds a key. */
export type AuditEntry = {
  kind: "audit";
  audit_id: string;
  /** ISO time. */
  at: string;
  /**
   * `ops:<user>@<machine>` for the command line, `operators:<address>` for the operators' pages, `member:<e-mail>`
   * for the dashboard.
   */
  actor: string;
  action: AuditAction;
  /** The account it was done to; absent for what concerns the whole installation. */
  account?: string;
  key_id?: string;
  details?: AuditDetails;
};

import type { AuditEntry } from "@tranche/shared/accounts/audit";

/** An entry of the audit log, as the operators' pages and --json have it. */
export const auditView = ({ audit_id: id, at, actor, action, account, key_id, details = {} }: AuditEntry) => ({
  id,
  at,
  actor,
  action,
  account: account ?? null,
  key_id: key_id ?? null,
  details,
});

import { hostname, userInfo } from "node:os";
import type { AuditAction, AuditDetails } from "@tranche/shared/accounts/audit";
import { audited, type AuditLog } from "@tranche/shared/accounts/audit-log";
import type { Ops } from "./ops.ts";

/** The name of an operator in the audit log: user and host. */
export function operator(): string {
  try {
    return `ops:${userInfo().username}@${hostname()}`;
  } catch {
    // In a container a user may have no name.
    return `ops:${process.getuid?.() ?? "?"}@${hostname()}`;
  }
}

/** Does `work` and keeps it in the audit log under this operator's name, with what `figures` says of the result. */
export async function auditedHere<T>(
  ops: Ops,
  action: AuditAction,
  details: AuditDetails,
  work: () => Promise<T>,
  figures?: (result: T) => AuditDetails,
): Promise<T> {
  return audited(await auditLogHere(ops), action, details, work, figures);
}

/** The audit log under this operator's name. */
export async function auditLogHere(ops: Ops): Promise<AuditLog> {
  const { client, names } = await ops.engines();
  return { client, index: names.accounts, actor: operator() };
}

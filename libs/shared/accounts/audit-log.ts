import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { retryForever } from "../engines/search/retry-forever.ts";
import type { AuditAction, AuditDetails, AuditEntry } from "./audit.ts";

export type AuditLog = {
  client: Client;
  /** The index of accounts. */
  index: string;
  actor: string;
};

/**
 * Does `work` and writes it to the audit log: first before the work, so that killed work is logged too, and again after it, with its
 * `outcome` and the `figures` of the result.
 * Waits while Elasticsearch is away, before and after the work.
 */
export async function audited<T>(
  log: AuditLog,
  action: AuditAction,
  details: AuditDetails,
  work: () => Promise<T>,
  figures: (result: T) => AuditDetails = () => ({}),
): Promise<T> {
  const entry: AuditEntry = {
    kind: "audit",
    audit_id: randomUUID(),
    at: new Date().toISOString(),
    actor: log.actor,
    action,
    details: { ...details, outcome: "not ended" },
  };
  const write = (more: AuditDetails) => {
    const document = { ...entry, details: { ...entry.details, ...more } };
    const id = `audit:${entry.audit_id}`;
    return retryForever(() => log.client.index({ index: log.index, id, document, refresh: true }));
  };
  await write({});
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await write({ outcome: `failed: ${(error as Error).message}` });
    throw error;
  }
  await write({ outcome: "done", ...figures(result) });
  return result;
}

import type { Client, estypes } from "@elastic/elasticsearch";
import type { AuditAction } from "@tranche/shared/accounts/audit";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { wholeAnswer } from "@tranche/shared/engines/search/retry-forever";

/** Figures of what is stored with the accounts. */
export type Stored = {
  /** The time of the data in the last complete backup of the last 30 days, in ms; 0 when there is none. */
  backupAt: number;
  /** Lines that ingests of the last 24 hours refused. */
  refusedLines: number;
  webhooks: Record<string, number>;
};

type Figures = {
  backups: { last: estypes.AggregationsMaxAggregate };
  ingests: { refused: estypes.AggregationsSumAggregate };
  webhooks: { status: estypes.AggregationsStringTermsAggregate };
};

/** Backups and ingests are entries of the audit log that belong to no account. `now` in ms. */
export async function readStored(client: Client, { accounts }: IndexNames, now: number): Promise<Stored> {
  const since = (hours: number) => ({ range: { at: { gte: now - hours * 3_600_000, format: "epoch_millis" } } });
  const ofInstallation = [{ term: { kind: "audit" } }, since(30 * 24)];
  const done = (action: AuditAction) => [{ term: { action } }, { term: { "details.outcome": "done" } }];
  const { aggregations } = wholeAnswer(
    await client.search<unknown, Figures>({
      index: accounts,
      size: 0,
      query: {
        bool: {
          should: [
            { term: { kind: "webhook" } },
            { bool: { filter: ofInstallation, must_not: { exists: { field: "account" } } } },
          ],
        },
      },
      // The index has no fields for them.
      runtime_mappings: {
        action: { type: "keyword" },
        status: { type: "keyword" },
        "details.outcome": { type: "keyword" },
        "details.refused": { type: "long" },
      },
      aggregations: {
        backups: { filter: { bool: { filter: done("backup") } }, aggregations: { last: { max: { field: "at" } } } },
        ingests: {
          filter: { bool: { filter: [{ term: { action: "ingest" } }, since(24)] } },
          aggregations: { refused: { sum: { field: "details.refused" } } },
        },
        webhooks: { filter: { term: { kind: "webhook" } }, aggregations: { status: { terms: { field: "status" } } } },
      },
    }),
  );
  const { backups, ingests, webhooks } = aggregations!;
  const byStatus = webhooks.status.buckets as estypes.AggregationsStringTermsBucket[];
  return {
    backupAt: backups.last.value ?? 0,
    refusedLines: ingests.refused.value ?? 0,
    webhooks: Object.fromEntries(byStatus.map(({ key, doc_count }) => [String(key), doc_count])),
  };
}

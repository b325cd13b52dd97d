import type { Client } from "@elastic/elasticsearch";
import { deletionOf } from "../../domain/records/snapshots.ts";
import type { StoredRecord } from "../../domain/records/stored.ts";
import { writeBulk } from "./bulk.ts";
import { assertWritten } from "./bulk-results.ts";
import type { IndexNames } from "./index-names.ts";

type Deleted = Pick<StoredRecord, "id" | "version" | "updated_at">;

/**
 * Notes the deletions of companies beside their snapshots, where this or a newer one is not noted yet; returns how many were missing.
 * A company that only merges name was not deleted. The caller refreshes. Rejects when Elasticsearch refuses one.
 */
export async function noteDeletions(
  { client, names }: { client: Client; names: IndexNames },
  companies: readonly Deleted[],
): Promise<number> {
  const items = companies
    .filter(({ version }) => version >= 0)
    .map((company) => ({
      index: names.record("snapshot"),
      ...deletionOf(company),
      version: { number: company.version, type: "external" as const },
    }));
  if (items.length === 0) return 0;
  const results = await writeBulk(client, items);
  assertWritten(results, "deletions of companies");
  return results.filter((result) => result === "done").length;
}

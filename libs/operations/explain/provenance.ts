import { retryForever, wholeDocuments } from "@tranche/shared/engines/search/retry-forever";
import type { IngestRun } from "@tranche/shared/protocol/runs/ingest-runs";
import type { Installation } from "../installation/installation.ts";
import type { Origin, RecordState } from "./facts.ts";

/** Runs that are read for their files' names. */
const MAX_RUNS = 200;

/** Names the files that the writes of these records came from. */
export async function withFileNames(
  { client, names }: Pick<Installation, "client" | "names">,
  records: readonly RecordState[],
): Promise<RecordState[]> {
  const all = records.flatMap(({ from, merges }) => [from, ...merges.map((merge) => merge.from)]);
  const ids = [...new Set(all.flatMap((from) => from?.run ?? []))].slice(0, MAX_RUNS);
  if (ids.length === 0) return [...records];
  const found = await retryForever(async () =>
    wholeDocuments(await client.mget<Pick<IngestRun, "files">>({ index: names.control, ids, _source: ["files"] })),
  );
  const files = new Map(found.flatMap(({ _id, _source }) => (_source ? [[_id, _source.files] as const] : [])));
  const named = <T extends { from?: Origin }>(write: T): T => {
    const name = write.from && files.get(write.from.run)?.[(write.from.file ?? 0) - 1];
    return name === undefined ? write : { ...write, from: { ...write.from!, file_name: name } };
  };
  return records.map((record) => ({ ...named(record), merges: record.merges.map(named) }));
}

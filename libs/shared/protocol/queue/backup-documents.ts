import type { Client } from "@elastic/elasticsearch";
import { writeBulk } from "../../engines/search/bulk.ts";
import { assertWritten } from "../../engines/search/bulk-results.ts";
import { refreshed } from "../../engines/search/refreshed.ts";
import { retryForever } from "../../engines/search/retry-forever.ts";
import { searchAll } from "../../engines/search/search-all.ts";

type BackupDocument = { kind: "dead-letter" | "failed-ingest"; id: string };

/** Copies of what a queue of Redis has, in the control index, so that they survive the loss of Redis. */
type BackupDocuments<T extends BackupDocument> = {
  /** Rejects when Elasticsearch refuses one for good; all others are written. */
  write(documents: readonly T[]): Promise<void>;
  remove(id: string): Promise<void>;
  /** All of them, including those that were written just before. */
  readAll(): AsyncGenerator<T[]>;
};

/** `what` names them in errors, in the plural. `pageSize`: documents that are read at once. */
export function createBackupDocuments<T extends BackupDocument>(
  client: Client,
  index: string,
  { kind, what, pageSize }: { kind: T["kind"]; what: string; pageSize: number },
): BackupDocuments<T> {
  const documentId = (id: string) => `${kind}-${id}`;
  return {
    async write(documents) {
      const items = documents.map((document) => ({ index, id: documentId(document.id), document }));
      assertWritten(await writeBulk(client, items), what);
    },
    async remove(id) {
      await retryForever(() => client.delete({ index, id: documentId(id) }, { ignore: [404] }));
    },
    async *readAll() {
      await refreshed(client, index);
      yield* searchAll<T>(client, { index, query: { term: { kind } }, sort: ["id"], source: true, pageSize });
    },
  };
}

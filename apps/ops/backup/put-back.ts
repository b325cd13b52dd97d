import type { Client } from "@elastic/elasticsearch";
import { writeBulk } from "@tranche/shared/engines/search/bulk";
import type { BulkItem } from "@tranche/shared/engines/search/bulk-part";
import { refreshed } from "@tranche/shared/engines/search/refreshed";
import { retryForever, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import { Failure } from "../terminal/failure.ts";
import type { BackupLine } from "./format.ts";
import type { Store } from "./stores.ts";

const AT_ONCE = 2000;

type PutBack = {
  written: number;
  /** Documents that were there in this or a newer version: of an interrupted restore, or changed since. */
  there: number;
};

/**
 * Writes the documents of a backup with the versions that they had. A document that is there in the same or a newer version stays, so
 * any part may be written again. `onWritten` hears how many are done.
 */
export async function putBack(
  client: Client,
  stores: readonly Store[],
  lines: AsyncIterable<BackupLine>,
  onWritten: (documents: number) => void,
): Promise<PutBack> {
  const indexOf = new Map(stores.map(({ name, index }) => [name, index]));
  const done: PutBack = { written: 0, there: 0 };
  const write = async (batch: readonly BackupLine[]) => {
    const items = batch.map(({ store, id, version, routing, document }): BulkItem => ({
      index: indexOf.get(store)!,
      id,
      document,
      ...(routing === undefined ? {} : { routing }),
      version: { number: version, type: "external" },
    }));
    const results = await writeBulk(client, items);
    results.forEach((result, i) => {
      if (result === "done") done.written++;
      else if (result === "superseded") done.there++;
      else throw refused(batch[i]!, result === "alias_missing" ? "the index is missing" : result.rejected);
    });
    onWritten(done.written + done.there);
  };
  let batch: BackupLine[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < AT_ONCE) continue;
    await write(batch);
    batch = [];
  }
  await write(batch);
  await refreshed(
    client,
    stores.map(({ index }) => index),
  );
  return done;
}

/** Throws a Failure unless every store has at least the documents that were written to it. */
export async function assertAllThere(
  client: Client,
  stores: readonly Store[],
  expected: Readonly<Record<string, number>>,
): Promise<void> {
  for (const { name, index } of stores) {
    const { count } = await retryForever(async () => wholeAnswer(await client.count({ index })));
    if (count >= (expected[name] ?? 0)) continue;
    throw new Failure(
      `${index} has ${count} documents after the restore, expected at least ${expected[name]}: something deletes them. Stop it, and run the restore again.`,
    );
  }
}

const refused = ({ store, id }: BackupLine, reason: string) =>
  new Failure(
    `Elasticsearch refused document ${id} of ${store}: ${reason}. Documents written so far stay; run the restore again when the cause is removed.`,
  );

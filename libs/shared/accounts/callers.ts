import type { estypes } from "@elastic/elasticsearch";
import { assertNoneFailed } from "../search/bulk-results.ts";
import { wholeDocuments } from "../search/retry-forever.ts";
import { type Account, accountDocumentId, type Caller, keyDocumentId, type KeyRecord } from "./account.ts";
import { type MonthCount, monthCountId } from "./month-count-backup.ts";
import type { StoreParts } from "./stored-account.ts";

export type Callers = {
  /** The key with this hash and its account, whether they hold or not; undefined when there is none. In real time. */
  caller(handle: string, hash: string): Promise<Caller | undefined>;
  /** Notes when keys were last used: hash and ISO time. Keys that no longer exist are skipped. */
  noteUses(uses: readonly { hash: string; at: string }[]): Promise<void>;
};

/** Readings that requests wait for are given up after this time. */
const READ_WITHIN_MS = 3000;

/** The callers of the API, as admission reads them. */
export function createCallers({ client, index }: Pick<StoreParts, "client" | "index">): Callers {
  return {
    async caller(handle, hash) {
      const ids = [accountDocumentId(handle), keyDocumentId(hash), monthCountId(handle)];
      const options = { requestTimeout: READ_WITHIN_MS };
      const read = await client.mget<Account | KeyRecord | MonthCount>({ index, ids }, options);
      const [account, key, month] = wholeDocuments(read) as [
        estypes.GetGetResult<Account>,
        estypes.GetGetResult<KeyRecord>,
        estypes.GetGetResult<MonthCount>,
      ];
      if (!account.found || !key.found || key._source!.account !== handle) return undefined;
      return {
        account: account._source!,
        key: key._source!,
        versions: { account: account._seq_no!, key: key._seq_no! },
        ...(month.found ? { month: month._source! } : {}),
      };
    },
    async noteUses(uses) {
      if (uses.length === 0) return;
      const operations = uses.flatMap(({ hash, at: last_used_at }) => [
        { update: { _id: keyDocumentId(hash), retry_on_conflict: 3 } },
        { doc: { last_used_at } },
      ]);
      assertNoneFailed(await client.bulk({ index, operations, refresh: true }), [404]);
    },
  };
}

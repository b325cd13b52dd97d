import type { estypes } from "@elastic/elasticsearch";
import { assertNoneFailed } from "../engines/search/bulk-results.ts";
import { wholeDocuments } from "../engines/search/retry-forever.ts";
import {
  type AccessToken,
  type Account,
  accountDocumentId,
  type Caller,
  keyDocumentId,
  type SessionRecord,
} from "./account.ts";
import { isOpen } from "./grant.ts";
import { membershipsOfSession, readMemberships } from "./membership.ts";
import { type MonthCount, monthCountId } from "./month-count-backup.ts";
import { endOfSession } from "./session-end.ts";
import type { StoreParts } from "./stored-account.ts";

export type Callers = {
  /**
   * The key with this hash and its account, whether they hold or not; undefined when there is none. In real time. A session expires when it
   * was not used for long; it and an access token are revoked when something that they rest on is over.
   */
  caller(handle: string, hash: string): Promise<Caller | undefined>;
  /** Those of the hashes that have a key, whether it holds or not. In real time. */
  existing(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Notes when keys were last used: hash and ISO time. Keys that no longer exist are skipped. */
  noteUses(uses: readonly { hash: string; at: string }[]): Promise<void>;
};

/** Readings that requests wait for are given up after this time. */
const READ_WITHIN_MS = 3000;

/** The callers of the API, as admission reads them. */
export function createCallers({ client, names, now }: Pick<StoreParts, "client" | "names" | "now">): Callers {
  const index = names.accounts;

  /** A session or an access token as it holds now. After the key, because only that says whose it is. */
  const restingNow = async ({
    key,
    versions,
    ...rest
  }: Caller & { key: SessionRecord | AccessToken }): Promise<Caller> => {
    const needed = membershipsOfSession(key);
    const isToken = key.kind === "oauth";
    const { hold, signOuts, grant, role, admins } = await readMemberships(client, names.dashboard, {
      account: key.account,
      emails: needed.map(({ email }) => email),
      grant: isToken ? key.key_id : undefined,
      withinMs: READ_WITHIN_MS,
    });
    const holds = hold(needed) && (!isToken || (grant !== undefined && isOpen(grant, now())));
    const revoked_at = key.revoked_at ?? (holds ? null : new Date(now()).toISOString());
    const expires_at = isToken ? key.expires_at : endOfSession(key);
    return {
      ...rest,
      key: { ...key, expires_at, revoked_at },
      versions: { ...versions, signOuts },
      ...(isToken ? {} : { rights: { role: role(needed), admins } }),
    };
  };

  return {
    async caller(handle, hash) {
      const ids = [accountDocumentId(handle), keyDocumentId(hash), monthCountId(handle)];
      const options = { requestTimeout: READ_WITHIN_MS };
      const read = await client.mget<Account | Caller["key"] | MonthCount>({ index, ids }, options);
      const [account, key, month] = wholeDocuments(read) as [
        estypes.GetGetResult<Account>,
        estypes.GetGetResult<Caller["key"]>,
        estypes.GetGetResult<MonthCount>,
      ];
      if (!account.found || !key.found || key._source!.account !== handle) return undefined;
      const caller = {
        account: account._source!,
        versions: { account: account._seq_no!, key: key._seq_no! },
        ...(month.found ? { month: month._source! } : {}),
      };
      const found = key._source!;
      if (found.kind !== "session" && found.kind !== "oauth") return { ...caller, key: found };
      return restingNow({ ...caller, key: found });
    },
    async existing(hashes) {
      const options = { requestTimeout: READ_WITHIN_MS };
      const read = await client.mget({ index, ids: hashes.map(keyDocumentId), _source: false }, options);
      const found = wholeDocuments(read);
      return new Set(hashes.filter((_, n) => found[n]!.found));
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

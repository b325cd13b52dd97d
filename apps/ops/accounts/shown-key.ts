import type { KeyRecord } from "@tranche/shared/accounts/account-store";
import { keyView } from "@tranche/operations/accounts/key-view";
import { table } from "../terminal/table.ts";

/** A key as --json prints it. */
export function shownKey(record: KeyRecord) {
  const { id, ...view } = keyView(record, Date.now());
  return { key_id: id, account: record.account, ...view };
}

/** The keys of an account; never the keys themselves. */
export function keyTable(keys: readonly KeyRecord[]): string {
  return table(
    ["key id", "prefix", "name", "created", "last used", "expires", "revoked"],
    keys.map((key) => [
      key.key_id,
      key.prefix,
      key.name,
      key.created_at,
      key.last_used_at ?? "",
      key.expires_at ?? "",
      key.revoked_at ?? "",
    ]),
    "The account has no keys. Create one with `ops keys create --account A`.",
  );
}

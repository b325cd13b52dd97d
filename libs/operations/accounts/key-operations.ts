import type { KeyRecord } from "@tranche/shared/accounts/account-store";
import { keyView } from "./key-view.ts";
import { about, type Listing, operation } from "./operation.ts";

/** A key as --json prints it. */
export function shownKey(record: KeyRecord) {
  const { id, ...view } = keyView(record, Date.now());
  return { key_id: id, account: record.account, ...view };
}

/** Never the keys themselves. */
export const KEYS: Listing<KeyRecord> = {
  columns: {
    "key id": "key_id",
    prefix: "prefix",
    name: "name",
    created: "created_at",
    "last used": "last_used_at",
    expires: "expires_at",
    revoked: "revoked_at",
  },
  empty: "The account has no keys. Create one with `ops keys create --account A`.",
};

const KEY = ["<key-id>", "the key's id, as `ops keys list` shows it"] as const;

type NewKey = { key: string; record: KeyRecord };
const shownNew = ({ key, record }: NewKey) => ({ ...shownKey(record), key });
const newText = ({ key, record }: NewKey) =>
  `Created key ${record.key_id} (${record.name}).\nKey (shown only once): ${key}`;

export const KEY_OPERATIONS = {
  "keys.create": operation({
    on: "account",
    input: ["name", "expires?"],
    does: ({ accounts }, { account }, { name, expires }) =>
      accounts.createKey({ account, name, ...(expires ? { expiresAt: expires } : {}) }),
    audit: { action: "key.create", told: about("key", "created") },
    command: {
      name: "keys create",
      summary: "Create another key for an account",
      description: "Create another key for an account. All keys of an account share its limits.",
      options: {
        name: ["--name <name>", "what the key is used for", "key"],
        expires: [
          "--expires <date>",
          "when the key expires: YYYY-MM-DD (00:00 UTC) or a time like 2027-01-31T18:00:00Z",
        ],
      },
      example: '--account 8kQ2mZ0a --name "nightly export" --expires 2027-12-31',
      shown: shownNew,
      text: newText,
    },
    operators: {
      route: "POST /accounts/:id/keys",
      status: 201,
      view: ({ key, record }) => ({ ...keyView(record, Date.now()), key }),
    },
    members: { route: "POST /keys", role: "developer", status: 201, needsActive: true },
  }),

  "keys.list": operation({
    on: "account",
    input: [],
    does: ({ accounts }, { account }) => accounts.keys(account),
    command: {
      name: "keys list",
      description: "List the keys of an account, including revoked ones. The keys themselves are never shown.",
      shown: (keys) => keys.map(shownKey),
      text: (keys, _, table) => table(keys, KEYS),
    },
    members: { route: "GET /keys", role: "developer" },
  }),

  "keys.rotate": operation({
    on: KEY,
    input: ["overlap"],
    does: ({ accounts }, id, { overlap }) => accounts.rotateKey(id, overlap),
    audit: { action: "key.rotate", told: about("key", "rotated") },
    command: {
      name: "keys rotate",
      summary: "Replace a key with a new one",
      description:
        "Create a key with the name and expiry of another and revoke the old one, at once or after --overlap.",
      options: { overlap: ["--overlap <time>", "how long the old key keeps working, like 90s, 30m, 24h or 7d", "0s"] },
      example: "0b6f3f5e-4d3c-4c43-9a39-0f5a5f2c7f11 --overlap 24h",
      shown: (made) => shownNew(made),
      text: (made) => newText(made),
      aside: ({ old }) =>
        `The old key ${old.key_id} ${old.revoked_at === null ? `works until ${old.expires_at}` : "is revoked"}.`,
    },
    members: { route: "POST /keys/:id/rotate", role: "developer", status: 201, needsActive: true },
  }),

  "keys.revoke": operation({
    on: KEY,
    input: [],
    does: ({ accounts }, id) => accounts.revokeKey(id),
    audit: { action: "key.revoke", told: about("key", "revoked") },
    command: {
      name: "keys revoke",
      description: "Revoke a key. It stops working within one second.",
      shown: shownKey,
      text: ({ key_id, name }) => `Key ${key_id} (${name}) is revoked.`,
    },
    operators: { route: "POST /keys/:id/revoke", view: (record) => keyView(record, Date.now()) },
    members: { route: "POST /keys/:id/revoke", role: "developer" },
  }),
};

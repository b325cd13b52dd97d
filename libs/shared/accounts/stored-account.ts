import type { Client } from "@elastic/elasticsearch";
import { type Account, accountDocumentId } from "./account.ts";
import type { AuditedDocuments } from "./documents.ts";
import type { HotCopies } from "./hot-copies.ts";
import type { IndexNames } from "../engines/search/index-names.ts";

/** The indices of accounts and of the dashboard, audited documents, and the hot copies of what changes in them. `now`: real time in ms. */
export type StoreParts = {
  client: Client;
  names: Pick<IndexNames, "accounts" | "dashboard">;
  documents: AuditedDocuments;
  copies: HotCopies | undefined;
  now: () => number;
};

export async function readAccount(
  { client, names }: Pick<StoreParts, "client" | "names">,
  handle: string,
): Promise<Account | undefined> {
  const found = await client.get<Account>({ index: names.accounts, id: accountDocumentId(handle) }, { ignore: [404] });
  return found.found ? found._source : undefined;
}

export const noAccount = (handle: string) => `There is no account '${handle}'. \`ops accounts list\` shows them.`;

export const oldestFirst = <T extends { created_at: string }>(all: T[]): T[] =>
  all.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));

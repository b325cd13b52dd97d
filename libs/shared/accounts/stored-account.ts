import type { Client } from "@elastic/elasticsearch";
import { type Account, accountDocumentId } from "./account.ts";
import type { AuditedDocuments } from "./documents.ts";
import type { HotCopies } from "./hot-copies.ts";

/** The index of accounts, its audited documents, and the hot copies of what changes in them. `now`: real time in ms. */
export type StoreParts = {
  client: Client;
  index: string;
  documents: AuditedDocuments;
  copies: HotCopies | undefined;
  now: () => number;
};

export async function readAccount(
  { client, index }: Pick<StoreParts, "client" | "index">,
  handle: string,
): Promise<Account | undefined> {
  const found = await client.get<Account>({ index, id: accountDocumentId(handle) }, { ignore: [404] });
  return found.found ? found._source : undefined;
}

export const noAccount = (handle: string) => `There is no account '${handle}'. \`ops accounts list\` shows them.`;

export const oldestFirst = <T extends { created_at: string }>(all: T[]): T[] =>
  all.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));

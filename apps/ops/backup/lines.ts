import { createHash, randomUUID } from "node:crypto";
import type { Engines } from "../context/connect.ts";
import { INSTALLATION_FORMAT } from "@tranche/shared/engines/search/installation-format";
import { readCeiling } from "@tranche/shared/protocol/ticket/ticket-ceiling";
import { openView } from "./documents.ts";
import { type BackupEnd, type BackupHeader, FORMAT } from "./format.ts";
import { storesOf } from "./stores.ts";

/** The contents of a backup, and its progress. */
type Backup = {
  header: BackupHeader;
  /** How many documents there are, about. */
  total: number;
  /** The text of the file, piece by piece; `onWritten` hears how many documents it has. */
  text(onWritten: (documents: number) => void): AsyncGenerator<string>;
  /** Complete once the text has been read to its end. */
  documents: Record<string, number>;
  close(): Promise<void>;
};

/** Begins a logical backup of everything that must last, as of now. `version` is that of this program. */
export async function beginBackup(engines: Engines, version: string): Promise<Backup> {
  const { client, names, settings } = engines;
  const stores = storesOf(names);
  const at = new Date().toISOString();
  const view = await openView(client, stores);
  // Read after the view was opened: it is above every number in it.
  const ticket_ceiling = (await readCeiling({ client, controlIndex: names.control })) ?? 0;
  const documents: Record<string, number> = Object.fromEntries(stores.map(({ name }) => [name, 0]));
  const header: BackupHeader = {
    tranche_backup: FORMAT,
    installation: INSTALLATION_FORMAT,
    id: randomUUID(),
    version,
    namespace: settings.TRANCHE_NAMESPACE,
    at,
  };
  return {
    header,
    total: view.total,
    documents,
    async *text(onWritten) {
      const hash = createHash("sha256");
      const hashed = (text: string) => {
        hash.update(text);
        return text;
      };
      let written = 0;
      yield hashed(`${JSON.stringify(header)}\n`);
      for await (const page of view.pages()) {
        for (const { store } of page) documents[store]!++;
        if (page.length > 0) yield hashed(page.map((line) => `${JSON.stringify(line)}\n`).join(""));
        onWritten((written += page.length));
      }
      const end: BackupEnd = { end: { documents, ticket_ceiling, sha256: hash.digest("hex") } };
      yield `${JSON.stringify(end)}\n`;
    },
    close: () => view.close(),
  };
}

import { formatProblem } from "@tranche/shared/engines/search/installation-format";

/**
 * The format of a logical backup: NDJSON, packed with gzip. The first line is the header, the last one the end, and each line between
 * them is one document of one store.
 */

/** Raised when an older Tranche would misread the lines of a backup. */
export const FORMAT = 1;

export type BackupHeader = {
  tranche_backup: number;
  /** That of the documents in it. */
  installation: number;
  id: string;
  /** The version of the Tranche that made it. */
  version: string;
  namespace: string;
  /** When it was begun: everything that was searchable then is in it. */
  at: string;
};

/** One document with its version in Elasticsearch. */
export type BackupLine = { store: string; id: string; version: number; routing?: string; document: object };

export type BackupEnd = {
  end: {
    /** How many documents of each store. */
    documents: Record<string, number>;
    /** No number of the ticket clock in it is above this one. */
    ticket_ceiling: number;
    /** Of all lines before this one, each with its newline. */
    sha256: string;
  };
};

/** A problem of a backup; `line` counts from 1. The text is for people and has no file name. */
export class BadBackup extends Error {
  override name = "BadBackup";
}

/** Reads the first line, or throws BadBackup. */
export function headerOf(line: string): BackupHeader {
  const value = objectOf(line);
  if (typeof value?.["tranche_backup"] !== "number") {
    throw new BadBackup(
      "is not a backup of Tranche: its first line should be a header with tranche_backup. Files of `ops export` go to `ops ingest`",
    );
  }
  if (value["tranche_backup"] > FORMAT) {
    throw new BadBackup(
      `was made by a newer version (Tranche ${String(value["version"])}, format ${value["tranche_backup"]}); this one reads formats up to ${FORMAT}. Restore it with that version or a later one`,
    );
  }
  const problem = formatProblem("What is in it", value["installation"]);
  if (problem !== undefined) throw new BadBackup(`can't be restored. ${problem.replace(/\.$/, "")}`);
  const { id, version, namespace, at } = value;
  const texts = [id, version, namespace, at];
  if (!texts.every((text) => typeof text === "string")) throw new BadBackup("has a header that is not whole");
  return value as unknown as BackupHeader;
}

/** Reads a line after the first one, or throws BadBackup. */
export function lineOf(text: string, number: number): BackupLine | BackupEnd {
  const value = objectOf(text);
  if (value && isEnd(value)) return value as unknown as BackupEnd;
  if (value && isDocument(value)) return value as unknown as BackupLine;
  throw new BadBackup(`is damaged at line ${number}: expected a document with store, id and version`);
}

const isEnd = ({ end }: Record<string, unknown>): boolean =>
  typeof end === "object" && end !== null && "documents" in end && "ticket_ceiling" in end && "sha256" in end;

const isDocument = ({ store, id, version, routing, document }: Record<string, unknown>): boolean =>
  typeof store === "string" &&
  typeof id === "string" &&
  id !== "" &&
  Number.isSafeInteger(version) &&
  (version as number) >= 0 &&
  (routing === undefined || typeof routing === "string") &&
  typeof document === "object" &&
  document !== null &&
  !Array.isArray(document);

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { IngestInput } from "@tranche/intake/reading/read";
import { openInput } from "@tranche/intake/sources/input";
import type { FileVersion } from "@tranche/shared/protocol/runs/ingest-runs";

/** Files to ingest; `-` is standard input. */
export const fileInputs = (files: readonly string[], stdin: Readable): Promise<IngestInput[]> =>
  Promise.all(
    files.map(async (file): Promise<IngestInput> => ({
      file,
      name: file === "-" ? "standard input" : file,
      version: await versionOf(file),
      open: (options) => openInput(file, stdin, options),
    })),
  );

/** Size and modification time, which distinguish a file from a later one of the same name. Standard input has neither. */
async function versionOf(file: string): Promise<FileVersion | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? { file, bytes: found.size, modified: found.mtime.toISOString() } : undefined;
}

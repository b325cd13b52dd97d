import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import type { IngestInput } from "@tranche/intake/reading/read";
import { openInput } from "@tranche/intake/sources/input";
import type { FileVersion } from "@tranche/shared/protocol/runs/ingest-runs";

/** Files to ingest; `-` is standard input. Runs and records have their names without their folders. */
export const fileInputs = (paths: readonly string[], stdin: Readable): Promise<IngestInput[]> => {
  const files = namesOf(paths);
  return Promise.all(
    paths.map(async (path, position): Promise<IngestInput> => {
      const file = files[position]!;
      return {
        file,
        name: path === "-" ? STANDARD_INPUT : path,
        version: await versionOf(path, file),
        open: (options) => openInput(path, stdin, options),
      };
    }),
  );
};

const STANDARD_INPUT = "standard input";

/** The names of files. The second `deals.csv` is `deals.csv (2)`, because a place is a file of the run and a line. */
function namesOf(paths: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return paths.map((path) => {
    const name = path === "-" ? STANDARD_INPUT : basename(path);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** Size and modification time, which distinguish a file from a later one of the same name. Standard input has neither. */
async function versionOf(path: string, file: string): Promise<FileVersion | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? { file, bytes: found.size, modified: found.mtime.toISOString() } : undefined;
}

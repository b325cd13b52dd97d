import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** The secret in a file of one secret. Undefined when there is no file, or an empty one because the process that made it was killed. */
export function readPrivate(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Writes a secret for its owner alone. After a kill the file has the old content or the new one. */
export const writePrivate = (file: string, secret: string): void =>
  written(file, secret, (fresh) => renameSync(fresh, file));

/** The secret in a file, made if there is none. Of several that make one at once, all return the same. */
export function keptPrivate(file: string, make: () => string): string {
  const kept = readPrivate(file);
  if (kept !== undefined) return kept;
  written(file, make(), (fresh) => {
    try {
      linkSync(fresh, file);
    } catch (error) {
      if (!isCode(error, "EEXIST")) throw error;
      if (readPrivate(file) === undefined) renameSync(fresh, file);
    }
  });
  return readPrivate(file)!;
}

/** Writes the whole content under another name and has it put in its place. */
function written(file: string, secret: string, place: (fresh: string) => void): void {
  const fresh = `${file}.${randomUUID()}`;
  try {
    writeFileSync(fresh, `${secret}\n`, { mode: 0o600, flush: true });
    place(fresh);
  } finally {
    rmSync(fresh, { force: true });
  }
}

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;

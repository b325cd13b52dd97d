import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Ops } from "../context/ops.ts";
import { Failure } from "../terminal/failure.ts";
import { counted } from "@tranche/shared/domain/text/numbers";
import { exportAll } from "./export-all.ts";
import { checkBackup } from "./read-file.ts";
import { KNOWN_STORES } from "./stores.ts";

/** Of a backup that was killed. A backup that takes longer than this is none that somebody waits for. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;
const TIMED = /^-\d{8}T\d{6}Z\.ndjson\.gz$/;
const TIMED_PARTIAL = /^-\d{8}T\d{6}Z\.ndjson\.gz\.[0-9a-f]{8}\.partial$/;

/**
 * `ops backup FOLDER`: writes a backup named after the time and reads it to its end. Only then the older ones of the namespace are
 * deleted, but for the newest `keep`; undefined keeps all. Other files of the folder stay.
 */
export async function backupInto(ops: Ops, folder: string, keep: number | undefined): Promise<void> {
  const { TRANCHE_NAMESPACE: namespace } = await ops.settings();
  const path = join(folder, backupName(namespace, new Date()));
  await exportAll(ops, path, async (signal) => {
    try {
      await checkBackup(path, KNOWN_STORES, { signal });
    } catch (error) {
      await rm(path, { force: true });
      if (signal.aborted) throw error;
      throw new Failure(
        `${(error as Error).message} It had just been written, so the disk may be damaged. It was deleted; older backups stay.`,
      );
    }
  });
  if (keep === undefined) return;
  const names = await readdir(folder);
  for (const name of [...outdated(names, namespace, keep), ...(await abandoned(folder, names, namespace))]) {
    await rm(join(folder, name), { force: true });
    ops.terminal.tell(`Deleted ${join(folder, name)}: ${counted(keep, "backup stays", "backups stay")}.`);
  }
}

/** The name of a backup; names of one namespace are in the order of their times. */
export const backupName = (namespace: string, at: Date): string =>
  `${namespace}-${at.toISOString().replace(/[-:]|\.\d+/g, "")}.ndjson.gz`;

/** Of the names in a folder, the backups of a namespace that are older than the newest `keep`. */
export const outdated = (names: readonly string[], namespace: string, keep: number): string[] =>
  names
    .filter((name) => name.startsWith(namespace) && TIMED.test(name.slice(namespace.length)))
    .toSorted()
    .slice(0, -keep);

/** Incomplete files of backups that were killed. */
async function abandoned(folder: string, names: readonly string[], namespace: string): Promise<string[]> {
  const partial = names.filter(
    (name) => name.startsWith(`.${namespace}`) && TIMED_PARTIAL.test(name.slice(namespace.length + 1)),
  );
  const changed = await Promise.all(
    partial.map((name) =>
      stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => Infinity,
      ),
    ),
  );
  return partial.filter((_, position) => changed[position]! < Date.now() - ABANDONED_AFTER_MS);
}

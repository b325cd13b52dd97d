import type { Ops } from "../context/ops.ts";
import { auditedHere } from "../context/operator.ts";
import { Interrupted, WrongUsage } from "../terminal/failure.ts";
import { counted, shownBytes, shownDuration, shownNumber } from "@tranche/shared/domain/text/numbers";
import { createProgress } from "../terminal/progress.ts";
import { beginBackup } from "./lines.ts";
import { assertFree, writePacked, writePackedFile } from "./packed-file.ts";
import { RECORD_STORES } from "./stores.ts";

/**
 * `ops export --all FILE` and `ops backup FILE`: writes a logical backup to a new file, or packed to standard output for `-`.
 * `afterwards` belongs to the backup: where it fails, the audit log has no backup.
 */
export async function exportAll(
  ops: Ops,
  path: string,
  afterwards: (signal: AbortSignal) => Promise<void> = async () => {},
): Promise<void> {
  const { terminal } = ops;
  const toOutput = path === "-";
  if (toOutput && terminal.json)
    throw new WrongUsage("--json prints a report, so the backup can't go to standard output.");
  if (toOutput && (terminal.stdout as { isTTY?: boolean }).isTTY) {
    throw new WrongUsage("The backup is binary. Redirect standard output: `ops export --all - > backup.ndjson.gz`.");
  }
  if (!toOutput) await assertFree(path);
  const started = Date.now();
  const engines = await ops.engines();
  const signal = ops.onInterrupt();
  const { header, documents, bytes } = await auditedHere(
    ops,
    "backup",
    { file: path },
    async () => {
      const backup = await beginBackup(engines, ops.version);
      const progress = createProgress(terminal);
      progress.begin("exporting", backup.total, "documents");
      try {
        const text = backup.text((written) => progress.at(written));
        const size = toOutput
          ? await writePacked(terminal.stdout, text, signal)
          : await writePackedFile(path, text, signal);
        await afterwards(signal);
        return { ...backup, bytes: size ?? null };
      } catch (error) {
        if (signal.aborted) throw new Interrupted(`Interrupted. There is no backup ${path}.`);
        throw error;
      } finally {
        progress.stop();
        await backup.close();
      }
    },
    (done) => ({ backup: done.header.id, documents: String(sum(done.documents)) }),
  );
  const records = RECORD_STORES.reduce((count, store) => count + (documents[store] ?? 0), 0);
  const text =
    `Exported ${counted(records, "record")} and ${shownNumber(sum(documents) - records)} other documents as of ${header.at}` +
    ` in ${shownDuration((Date.now() - started) / 1000)}${bytes === null ? "" : `: ${path}, ${shownBytes(bytes)}`}.\n` +
    "It has hashes of API keys and e-mail addresses: keep it as safe as Elasticsearch itself. `ops restore` reads it.";
  if (toOutput) terminal.tell(text);
  else terminal.show({ file: path, bytes, ...header, documents }, text);
}

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

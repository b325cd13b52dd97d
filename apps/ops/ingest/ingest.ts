import { type Unfinished, unfinishedText } from "@tranche/intake/reading/file-progress";
import { ingestFigures } from "@tranche/intake/reading/figures";
import { previewIngest } from "@tranche/intake/runs/preview";
import { runIngest } from "@tranche/intake/runs/run";
import { ALLOWED_SHARE } from "@tranche/intake/runs/set-run";
import { storedMapping } from "@tranche/intake/sources/stored-mapping";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import type { Ops } from "../context/ops.ts";
import { auditedHere, operator } from "../context/operator.ts";
import { unreadable } from "@tranche/intake/sources/input";
import { Failure } from "../terminal/failure.ts";
import { createProgress } from "../terminal/progress.ts";
import type { IngestOptions } from "./options.ts";
import { fileInputs } from "./inputs.ts";
import { mappingOf } from "./mapping-of.ts";
import { previewText } from "./preview-text.ts";
import { openRefusals } from "./refusals.ts";
import { summaryText } from "./summary-text.ts";

const INTERRUPTED = 130;
/** Characters of file names in the audit log. */
const MAX_NAMED = 1000;

/** Does what `ops ingest` was called for, and shows the summary. */
export async function ingestFiles(ops: Ops, files: readonly string[], options: IngestOptions): Promise<void> {
  const { terminal } = ops;
  await assertSomeReadable(files);
  const dealTypes = readDealTypes((await ops.settings()).TRANCHE_VOCABULARY_FILE);
  const progress = createProgress(terminal);
  const refusals = openRefusals(options.rejects, progress.tell);
  const engines = await ops.engines();
  let unfinished = (): Unfinished[] => files.map((file) => ({ file }));
  const interrupted = ops.onInterrupt(() => {
    progress.stop();
    const left = unfinished();
    const again = left.length === 0 ? "Everything is in the queue." : `Ingest again: ${unfinishedText(left)}`;
    terminal.show({ interrupted: true, unfinished: left }, `Stopped at once. ${again}`);
  });
  interrupted.addEventListener("abort", () => progress.tell("Stopping … (Ctrl-C again to stop at once)"));
  try {
    const stored =
      options.map === undefined
        ? undefined
        : await mappingOf(options.map, async (asked) => storedMapping((await ops.doing()).mappings, asked));
    const request = {
      inputs: await fileInputs(files, terminal.stdin),
      format: options.format,
      mapping: stored?.mapping,
      wait: options.wait === true,
      strict: options.strict === true,
      onlyNew: options.onlyNew === true,
      set:
        options.set === undefined
          ? undefined
          : { name: options.set, allowDeletes: options.allowDeletes ?? ALLOWED_SHARE, mayDelete: true },
    };
    const parts = {
      installation: engines,
      dealTypes,
      about: { by: operator(), ...(stored?.named === undefined ? {} : { mapping: stored.named }) },
      progress,
      refusals,
      interrupted,
      onFileProgress: (fileProgress: typeof unfinished) => void (unfinished = fileProgress),
    };
    const named = { files: files.join(" ").slice(0, MAX_NAMED) };
    const summary = options.dryRun
      ? await previewIngest(request, parts)
      : await auditedHere(ops, "ingest", named, () => runIngest(request, parts), ingestFigures);
    refusals.close();
    progress.stop();
    terminal.show(summary, summary.dry_run ? previewText(summary) : summaryText(summary));
    const failed =
      summary.refused > 0 ||
      summary.searchable === false ||
      summary.lost !== undefined ||
      summary.set?.deletions === "refused" ||
      summary.set?.deletions === "given up";
    terminal.exitCode = summary.interrupted ? INTERRUPTED : failed ? 1 : 0;
  } finally {
    progress.stop();
  }
}

/** Throws a Failure when there is nothing to read, before the engines are waited for. One of several files is reported with the others. */
async function assertSomeReadable(files: readonly string[]): Promise<void> {
  const reasons = await Promise.all(files.map(unreadable));
  if (reasons.some((reason) => reason === undefined)) return;
  throw new Failure(
    `${files.map((file, position) => `${file}: ${reasons[position]}.`).join("\n")}\nNothing was loaded.`,
  );
}

import { readDealTypes } from "@tranche/shared/settings/vocabulary-file";
import type { IngestOptions } from "../commands/ingest.ts";
import { readMapping } from "../mapping/mapping.ts";
import type { Ops } from "../ops.ts";
import { csvReader } from "../sources/csv.ts";
import { createProgress } from "../terminal/progress.ts";
import { openRefusals } from "./refusals.ts";
import { runIngest } from "./run.ts";
import { summaryText } from "./tally.ts";

const INTERRUPTED = 130;

/** Does what `ops ingest` was called for, and shows the summary. */
export async function ingestFiles(ops: Ops, files: readonly string[], options: IngestOptions): Promise<void> {
  const { terminal } = ops;
  const dealTypes = readDealTypes((await ops.settings()).TRANCHE_VOCABULARY_FILE);
  const progress = createProgress(terminal);
  const refusals = await openRefusals(options.rejects, progress.tell);
  const engines = await ops.engines();
  const interrupted = ops.onInterrupt();
  interrupted.addEventListener("abort", () => progress.tell("Stopping … (Ctrl-C again to stop at once)"));
  try {
    const summary = await runIngest(
      {
        files,
        format: options.format,
        csv: options.map === undefined ? undefined : csvReader(readMapping(options.map)),
        wait: options.wait === true,
        strict: options.strict === true,
      },
      { engines, dealTypes, stdin: terminal.stdin, progress, refusals, interrupted },
    );
    await refusals.close();
    progress.stop();
    terminal.show(summary, summaryText(summary));
    const failed = summary.refused > 0 || summary.searchable === false;
    terminal.exitCode = summary.interrupted ? INTERRUPTED : failed ? 1 : 0;
  } finally {
    progress.stop();
  }
}

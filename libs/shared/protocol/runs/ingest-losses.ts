import type { Client } from "@elastic/elasticsearch";
import type { Origin } from "../queue/enqueue.ts";
import type { IndexNames } from "../../engines/search/index-names.ts";
import { retryForever, wholeAnswer } from "../../engines/search/retry-forever.ts";
import type { FileVersion, IngestRun } from "./ingest-runs.ts";

/** An ingest run with jobs that Redis had acknowledged and lost. It is shown until it is resolved. */
type IngestLoss = {
  kind: "ingest-loss";
  id: string;
  run: string;
  files: string[];
  /** Those of the run. */
  versions: FileVersion[];
  started_at: string;
  /** When it was noticed. */
  at: string;
  /** The input to ingest again: parts of files, or whole files where nobody knows which lines. */
  lost: Origin[];
  /** Until it is resolved. */
  open: boolean;
  /** How it was resolved: by a later run (its id), by an operator, or because nothing was lost after all. */
  resolved_by?: string;
};

export type IngestLosses = ReturnType<typeof createIngestLosses>;

const MAX_SHOWN = 1000;

/** The losses of ingest runs, in the control index. Searches see what was written before. */
export function createIngestLosses(client: Client, names: IndexNames) {
  const index = names.control;
  const idOf = (run: string) => `ingest-loss-${run}`;

  /** Names what a run lost. `exact`: the run itself knows, and replaces what others named. */
  const name = async (run: IngestRun, lost: readonly Origin[], exact: boolean): Promise<void> => {
    const loss: IngestLoss = {
      kind: "ingest-loss",
      id: idOf(run.id),
      run: run.id,
      files: run.files,
      versions: run.versions,
      started_at: run.started_at,
      at: new Date().toISOString(),
      lost: lost.length > 0 ? [...lost] : run.files.map((file) => ({ file })),
      open: true,
    };
    await retryForever(() =>
      client.index(
        { index, id: loss.id, document: loss, refresh: true, ...(exact ? {} : { op_type: "create" as const }) },
        { ignore: [409] },
      ),
    );
  };

  /** Those that are not resolved, the newest first. */
  const open = async (): Promise<IngestLoss[]> => {
    const answer = await retryForever(async () =>
      wholeAnswer(
        await client.search<IngestLoss>({
          index,
          size: MAX_SHOWN,
          query: { bool: { filter: [{ term: { kind: "ingest-loss" } }, { term: { open: true } }] } },
        }),
      ),
    );
    return answer.hits.hits.map((hit) => hit._source!).toSorted((a, b) => (a.at < b.at ? 1 : -1));
  };

  const resolve = async (losses: readonly Pick<IngestLoss, "id">[], resolved_by: string): Promise<void> => {
    for (const { id } of losses) {
      await retryForever(() =>
        client.update({ index, id, doc: { open: false, resolved_by }, refresh: true, retry_on_conflict: 5 }),
      );
    }
  };

  /** The loss of a run; undefined when there is none, or it is resolved. */
  const ofRun = async (run: string): Promise<IngestLoss | undefined> => {
    const found = await retryForever(() => client.get<IngestLoss>({ index, id: idOf(run) }, { ignore: [404] }));
    return found.found && found._source?.open ? found._source : undefined;
  };

  /** A run is done, so what earlier runs lost of the same files is there again. Other files may have had the same names. */
  const doneAgain = async (run: IngestRun): Promise<void> => {
    const again = (await open()).filter(
      (loss) =>
        loss.run !== run.id &&
        loss.started_at < run.started_at &&
        loss.lost.every(({ file }) => isSameFile(file, loss.versions, run.versions)),
    );
    await resolve(again, run.id);
  };

  return { name, open, resolve, ofRun, doneAgain };
}

/** Whether two runs read the same version of a file. */
function isSameFile(file: string, ...runs: [one: readonly FileVersion[], other: readonly FileVersion[]]): boolean {
  const [one, other] = runs.map((versions) => versions.find((version) => version.file === file));
  return one !== undefined && one.bytes === other?.bytes && one.modified === other.modified;
}

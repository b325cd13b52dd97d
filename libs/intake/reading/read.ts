import type { Origin } from "@tranche/shared/protocol/queue/enqueue";
import {
  type ParsedRecord,
  type ParseOutcome,
  parseRecord,
  type RecordProblem,
} from "@tranche/shared/domain/records/parse";
import type { FileVersion } from "@tranche/shared/protocol/runs/ingest-runs";
import { shownNumber } from "@tranche/shared/domain/text/numbers";
import type { Vocabulary } from "../mapping/rows.ts";
import type { Mapping } from "../mapping/schema.ts";
import type { Format } from "../sources/formats.ts";
import type { Input, InputOptions } from "../sources/input.ts";
import { MAX_RAW_LENGTH, type SourceLocation, SourceError, type SourceItem, unexpected } from "../sources/item.ts";
import { mappedReader } from "../sources/mapped.ts";
import { readSource } from "../sources/source.ts";
import type { IngestCounter } from "./counter.ts";
import type { FileProgress } from "./file-progress.ts";
import type { Refusals } from "./refusals.ts";

/** Something to ingest: a file, standard input, the body of a request. */
export type IngestInput = {
  /** Names it in the origins of its records. */
  file: string;
  /** Names it for people. */
  name: string;
  /** The mark that tells it from another input of the same name. */
  version?: FileVersion | undefined;
  /** Why it ended before its end; undefined while it is whole. */
  broken?: () => string | undefined;
  /** Called after each row that was read. */
  onRow?: () => void;
  /** Throws a SourceError when it can't be read. */
  open(options: InputOptions): Promise<Input>;
};

export type ReadRequest = {
  inputs: readonly IngestInput[];
  format: Format | undefined;
  /** For CSV, and for JSON of another shape. */
  mapping: Mapping | undefined;
  /** What is wrong with a record that may not come in this way; default: nothing. */
  refuse?: ((record: ParsedRecord) => RecordProblem | undefined) | undefined;
};

/** Hears how far the work is, step by step, and what people should know. */
export type Listener = {
  /** Begins a step of work; `total` is undefined when it is unknown. `unit` names what is counted. */
  begin: (what: string, total: number | undefined, unit?: string) => void;
  at: (value: number, detail?: string) => void;
  warn: (line: string) => void;
};

type ReadParts = {
  vocabulary: Vocabulary;
  progress: Listener;
  refusals: Pick<Refusals, "add">;
  counter: IngestCounter;
  fileProgress: FileProgress;
  interrupted: AbortSignal;
};

/** Takes a good record. `again`: later rows completed the record, and this version replaces it. `origin`: its location. */
type TakeRecord = (record: ParsedRecord, again: boolean, origin: Origin) => Promise<void>;

/**
 * Reads inputs one after the other: valid records are taken, other rows are refused one by one. An error in an input never stops the
 * next one. Rejects only with errors of `take` or of the refusals.
 */
export async function readInputs(request: ReadRequest, parts: ReadParts, take: TakeRecord): Promise<void> {
  const { progress, refusals, counter, interrupted, vocabulary, fileProgress } = parts;
  const mapped = request.mapping && mappedReader(request.mapping, vocabulary);
  for (const input of request.inputs) {
    if (interrupted.aborted) return;
    counter.counts.files++;
    await readInput(input);
  }

  async function readInput(input: IngestInput): Promise<void> {
    const { file, name } = input;
    const refuse = (location: SourceLocation, problems: RecordProblem[], raw: string | null) =>
      refusals.add({ file, name, location, problems, raw: raw?.slice(0, MAX_RAW_LENGTH) ?? null });
    const failed = (problems: RecordProblem[]) => {
      counter.counts.broken_files++;
      refuse({}, problems, null);
    };
    const opened = await open(input);
    if (!opened.ok) failed(opened.problems);
    else {
      const started = Date.now();
      const before = counter.counts.read;
      progress.begin(name, opened.input.size);
      for await (const item of readSource(opened.input, request.format, mapped)) {
        // Reading ends with a refusal then, which the file does not deserve.
        if (interrupted.aborted) return;
        if (!item.ok && isOfWholeFile(item.location)) {
          failed(item.problems);
          continue;
        }
        const problems = await problemsOf(item, originOf(file, item.location));
        counter.row(item, problems.length > 0);
        if (problems.length > 0) refuse(item.location, problems, item.raw);
        fileProgress.at(item.location);
        input.onRow?.();
        const read = counter.counts.read - before;
        const speed = (1000 * read) / (Date.now() - started + 1);
        if (read % 100 === 0) progress.at(opened.input.read(), `${shownNumber(read)} rows, ${shownNumber(speed)}/s`);
      }
    }
    fileProgress.fileRead();
  }

  async function open(
    input: IngestInput,
  ): Promise<{ ok: true; input: Input } | { ok: false; problems: RecordProblem[] }> {
    const warn = (text: string) => progress.warn(`${input.name} ${text}.`);
    try {
      return { ok: true, input: await input.open({ warn, interrupted }) };
    } catch (error) {
      const reason = error instanceof SourceError ? error.message : unexpected(error);
      return { ok: false, problems: [{ field: "", reason }] };
    }
  }

  /** Takes the records of a row; what is wrong with the others. */
  async function problemsOf(item: SourceItem, origin: Origin): Promise<RecordProblem[]> {
    if (!item.ok) return item.problems;
    const problems = vocabulary.strict ? duplicateKeys(item) : [];
    const isRefused = problems.length > 0;
    for (const [values, again] of [
      [item.values, false],
      [item.filled ?? [], true],
    ] as const) {
      for (const value of values) {
        const outcome = parsed(value);
        const problem = outcome.ok ? request.refuse?.(outcome.record) : undefined;
        if (!outcome.ok) problems.push(...outcome.problems);
        else if (problem) problems.push(problem);
        else if (!isRefused) {
          counter.enqueued(outcome.record, again, origin);
          await take(outcome.record, again, origin);
        }
      }
    }
    return problems;
  }

  function parsed(value: unknown): ParseOutcome {
    try {
      return parseRecord(value, vocabulary);
    } catch (error) {
      return { ok: false, problems: [{ field: "", reason: unexpected(error) }] };
    }
  }
}

function duplicateKeys({ notes = [] }: SourceItem & { ok: true }): RecordProblem[] {
  return notes.flatMap((note) =>
    note.kind === "duplicate_key" ? [{ field: note.key, reason: "is given more than once: keep one of them" }] : [],
  );
}

function originOf(file: string, location: SourceLocation): Origin {
  if ("line" in location) return { file, lines: [location.line, location.line] };
  return "element" in location ? { file, elements: [location.element, location.element] } : { file };
}

const isOfWholeFile = (location: SourceLocation) => Object.keys(location).length === 0;

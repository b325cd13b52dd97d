import type { Readable } from "node:stream";
import type { Origin } from "@tranche/shared/protocol/queue/enqueue";
import {
  type ParsedRecord,
  type ParseOutcome,
  parseRecord,
  type RecordProblem,
} from "@tranche/shared/domain/records/parse";
import type { Vocabulary } from "../mapping/rows.ts";
import type { Mapping } from "../mapping/schema.ts";
import { mappedReader } from "../sources/mapped.ts";
import { type Input, openInput } from "../sources/input.ts";
import { MAX_RAW_LENGTH, type SourceLocation, SourceError, type SourceItem, unexpected } from "../sources/item.ts";
import type { Format } from "../sources/formats.ts";
import { readSource } from "../sources/source.ts";
import { shownNumber } from "../terminal/numbers.ts";
import type { Progress } from "../terminal/progress.ts";
import type { FileProgress } from "./file-progress.ts";
import type { Refusals } from "./refusals.ts";
import type { IngestCounter } from "./counter.ts";

export type ReadRequest = {
  files: readonly string[];
  format: Format | undefined;
  /** For CSV, and for JSON of another shape. */
  mapping: Mapping | undefined;
};

export type ReadParts = {
  vocabulary: Vocabulary;
  stdin: Readable;
  progress: Progress;
  refusals: Refusals;
  counter: IngestCounter;
  fileProgress: FileProgress;
  interrupted: AbortSignal;
};

/** Takes a good record. `again`: later rows completed the record, and this version replaces it. `origin`: its location. */
export type TakeRecord = (record: ParsedRecord, again: boolean, origin: Origin) => Promise<void>;

/**
 * Reads files one after the other: valid records are taken, other rows are refused one by one. An error in a file never stops the next
 * file. Rejects only with errors of `take` or of the refusals.
 */
export async function readFiles(request: ReadRequest, parts: ReadParts, take: TakeRecord): Promise<void> {
  const { progress, refusals, counter, interrupted, vocabulary, fileProgress } = parts;
  const mapped = request.mapping && mappedReader(request.mapping, vocabulary);
  for (const file of request.files) {
    if (interrupted.aborted) return;
    counter.counts.files++;
    await readFile(file);
  }

  async function readFile(file: string): Promise<void> {
    const name = file === "-" ? "standard input" : file;
    const refuse = (location: SourceLocation, problems: RecordProblem[], raw: string | null) =>
      refusals.add({ file: name, location, problems, raw: raw?.slice(0, MAX_RAW_LENGTH) ?? null });
    const failed = async (problems: RecordProblem[]) => {
      counter.counts.broken_files++;
      await refuse({}, problems, null);
    };
    const opened = await open(file, name);
    if (!opened.ok) await failed(opened.problems);
    else {
      const started = Date.now();
      const before = counter.counts.read;
      progress.begin(name, opened.input.size);
      for await (const item of readSource(opened.input, request.format, mapped)) {
        // Reading ends with a refusal then, which the file does not deserve.
        if (interrupted.aborted) return;
        if (!item.ok && isOfWholeFile(item.location)) {
          await failed(item.problems);
          continue;
        }
        const problems = await problemsOf(item, originOf(file, item.location));
        counter.row(item, problems.length > 0);
        if (problems.length > 0) await refuse(item.location, problems, item.raw);
        fileProgress.at(item.location);
        const read = counter.counts.read - before;
        const speed = (1000 * read) / (Date.now() - started + 1);
        if (read % 100 === 0) progress.at(opened.input.read(), `${shownNumber(read)} rows, ${shownNumber(speed)}/s`);
      }
    }
    fileProgress.fileRead();
  }

  async function open(
    file: string,
    name: string,
  ): Promise<{ ok: true; input: Input } | { ok: false; problems: RecordProblem[] }> {
    const warn = (text: string) => progress.warn(`${name} ${text}.`);
    try {
      return { ok: true, input: await openInput(file, parts.stdin, { warn, interrupted }) };
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
        if (!outcome.ok) problems.push(...outcome.problems);
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

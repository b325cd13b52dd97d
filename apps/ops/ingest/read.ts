import type { Readable } from "node:stream";
import { type ParsedRecord, parseRecord, type RecordProblem } from "@tranche/shared/records/parse";
import type { Vocabulary } from "../mapping/rows.ts";
import type { Mapping } from "../mapping/schema.ts";
import { csvReader } from "../sources/csv.ts";
import { openInput } from "../sources/input.ts";
import { MAX_RAW_LENGTH, type Place, refusal, SourceError, type SourceItem } from "../sources/item.ts";
import type { Format } from "../sources/formats.ts";
import { readSource } from "../sources/source.ts";
import { shownNumber } from "../terminal/numbers.ts";
import type { Progress } from "../terminal/progress.ts";
import type { Refusals } from "./refusals.ts";
import type { Tally } from "./tally.ts";

export type ReadRequest = {
  files: readonly string[];
  format: Format | undefined;
  /** For CSV. */
  mapping: Mapping | undefined;
};

export type ReadParts = {
  vocabulary: Vocabulary;
  stdin: Readable;
  progress: Progress;
  refusals: Refusals;
  tally: Tally;
  interrupted: AbortSignal;
};

/** Takes a good record. `again`: it replaces an earlier one, of which later rows had more. */
export type TakeRecord = (record: ParsedRecord, again: boolean) => Promise<void>;

/** Reads files one after the other: good records are taken, the other rows refused one by one. Returns how far it came. */
export async function readFiles(request: ReadRequest, parts: ReadParts, take: TakeRecord): Promise<string> {
  const { progress, refusals, tally, interrupted, vocabulary } = parts;
  const csv = request.mapping && csvReader(request.mapping, vocabulary);
  let reached = "";
  for (const file of request.files) {
    if (interrupted.aborted) break;
    tally.counts.files++;
    await readFile(file);
  }
  return reached;

  async function readFile(file: string): Promise<void> {
    const name = file === "-" ? "standard input" : file;
    const refuse = (place: Place, problems: RecordProblem[], raw: string | null) =>
      refusals.add({ file: name, place, problems, raw: raw?.slice(0, MAX_RAW_LENGTH) ?? null });
    const failed = async ({ place, problems, raw }: SourceItem & { ok: false }) => {
      tally.counts.broken_files++;
      await refuse(place, problems, raw);
    };
    try {
      const input = await openInput(file, parts.stdin);
      const started = Date.now();
      const before = tally.counts.read;
      progress.begin(name, input.size);
      for await (const item of readSource(input, request.format, csv)) {
        reached = `${name}${shownPlace(item.place)}`;
        if (interrupted.aborted) return;
        if (!item.ok && Object.keys(item.place).length === 0) {
          await failed(item);
          continue;
        }
        const problems = await problemsOf(item);
        tally.row(item, problems.length > 0);
        if (problems.length > 0) await refuse(item.place, problems, item.raw);
        const read = tally.counts.read - before;
        const speed = (1000 * read) / (Date.now() - started + 1);
        if (read % 100 === 0) progress.at(input.read(), `${shownNumber(read)} rows, ${shownNumber(speed)}/s`);
      }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      await failed(refusal({}, error.message) as SourceItem & { ok: false });
    }
  }

  /** Takes the records of a row; what is wrong with the others. */
  async function problemsOf(item: SourceItem): Promise<RecordProblem[]> {
    if (!item.ok) return item.problems;
    const problems: RecordProblem[] = [];
    for (const [values, again] of [
      [item.values, false],
      [item.filled ?? [], true],
    ] as const) {
      for (const value of values) {
        const outcome = parseRecord(value, vocabulary);
        if (!outcome.ok) problems.push(...outcome.problems);
        else {
          tally.enqueued(outcome.record, again);
          await take(outcome.record, again);
        }
      }
    }
    return problems;
  }
}

const shownPlace = (place: Place) =>
  "line" in place ? `, line ${place.line}` : "element" in place ? `, element ${place.element}` : "";

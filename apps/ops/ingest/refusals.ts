import { closeSync, openSync, writeFileSync } from "node:fs";
import type { RecordProblem } from "@tranche/shared/domain/records/parse";
import type { Refusal } from "@tranche/shared/protocol/runs/ingest-runs";
import type { SourceLocation } from "../sources/item.ts";
import { Failure } from "../terminal/failure.ts";
import { counted } from "../terminal/numbers.ts";
import { plainLine } from "../terminal/plain.ts";

const MAX_SHOWN = 20;
/** The limits of a stored refusal: its problems, and the characters of each text. */
const MAX_PROBLEMS = 10;
const MAX_STORED = 500;

export type Refused = { file: string; location: SourceLocation; problems: RecordProblem[]; raw: string | null };

export type Refusals = {
  add(refused: Refused): Promise<void>;
  /** The first ones, for the stored run. */
  first(): readonly Refusal[];
  close(): Promise<void>;
};

/**
 * Prints the first refusals and writes all of them to a file, one JSON object per line:
 * `{file, line | element, problems: [{field, reason}], raw}`. Throws a Failure when that file can't be written.
 */
export async function openRefusals(path: string | undefined, tell: (line: string) => void): Promise<Refusals> {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new Failure(`The refused lines can't be written to ${path}: ${(error as Error).message}`);
    }
  };
  const file = path === undefined ? undefined : attempt(() => openSync(path, "w"));
  let count = 0;
  const first: Refusal[] = [];

  return {
    first: () => first,
    async add(refused) {
      count++;
      if (first.length < MAX_SHOWN) first.push(stored(refused));
      if (count <= MAX_SHOWN) for (const line of refusedLines(refused)) tell(line);
      if (file === undefined) return;
      const { location, ...rest } = refused;
      const line = JSON.stringify({ file: rest.file, ...location, problems: rest.problems, raw: rest.raw });
      // Synchronously, so that a killed command has written all its refusals.
      attempt(() => writeFileSync(file, `${line}\n`));
    },
    async close() {
      const where = path === undefined ? "--rejects FILE writes all of them to a file" : `all are in ${path}`;
      if (count > MAX_SHOWN) tell(`… and ${counted(count - MAX_SHOWN, "more refusal")}: ${where}`);
      if (file !== undefined) attempt(() => closeSync(file));
    },
  };
}

const stored = ({ file, location, problems }: Refused): Refusal => ({
  file: file.slice(-MAX_STORED),
  ...location,
  problems: problems
    .slice(0, MAX_PROBLEMS)
    .map(({ field, reason }) => ({ field: field.slice(0, MAX_STORED), reason: reason.slice(0, MAX_STORED) })),
});

/** `rounds.ndjson:12: amount_usd: must not be negative`, a line for each problem. */
export function refusedLines({ file, location, problems }: Refused): string[] {
  const where =
    "line" in location
      ? `${file}:${location.line}`
      : "element" in location
        ? `${file}: element ${location.element}`
        : file;
  return problems.map(({ field, reason }) => plainLine(`${where}: ${field === "" ? "" : `${field}: `}${reason}`));
}

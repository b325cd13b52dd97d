import { closeSync, openSync, writeFileSync } from "node:fs";
import { createRefusals, type Refusals, type Refused } from "@tranche/intake/reading/refusals";
import { shownProblem } from "@tranche/shared/domain/records/shown-problem";
import { counted } from "@tranche/shared/domain/text/numbers";
import { Failure } from "../terminal/failure.ts";
import { plainLine } from "../terminal/plain.ts";

const MAX_SHOWN = 20;

/** Refusals that people see. */
type ShownRefusals = Refusals & {
  /** Says how many were not shown, and where they are. */
  close(): void;
};

/**
 * Prints the first refusals and writes all of them to a file, one JSON object per line:
 * `{file, line | element, problems: [{field, reason}], raw}`. Throws a Failure when that file can't be written.
 */
export function openRefusals(path: string | undefined, tell: (line: string) => void): ShownRefusals {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new Failure(`The refused lines can't be written to ${path}: ${(error as Error).message}`);
    }
  };
  const file = path === undefined ? undefined : attempt(() => openSync(path, "w"));
  let count = 0;
  const show = (refused: Refused) => {
    count++;
    if (count <= MAX_SHOWN) for (const line of refusedLines(refused)) tell(line);
    if (file === undefined) return;
    const { name, location, problems, raw } = refused;
    const line = JSON.stringify({ file: name, ...location, problems, raw });
    // Synchronously, so that a killed command has written all its refusals.
    attempt(() => writeFileSync(file, `${line}\n`));
  };

  return {
    ...createRefusals(show),
    close() {
      const where = path === undefined ? "--rejects FILE writes all of them to a file" : `all are in ${path}`;
      if (count > MAX_SHOWN) tell(`… and ${counted(count - MAX_SHOWN, "more refusal")}: ${where}`);
      if (file !== undefined) attempt(() => closeSync(file));
    },
  };
}

/** `rounds.ndjson:12: amount_usd: must not be negative`, a line for each problem. */
export function refusedLines({ name, location, problems }: Refused): string[] {
  const where =
    "line" in location
      ? `${name}:${location.line}`
      : "element" in location
        ? `${name}: element ${location.element}`
        : name;
  return problems.map((problem) => plainLine(`${where}: ${shownProblem(problem)}`));
}

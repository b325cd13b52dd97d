import type { RecordProblem } from "@tranche/shared/domain/records/parse";
import type { Refusal } from "@tranche/shared/protocol/runs/ingest-runs";
import type { SourceLocation } from "../sources/item.ts";

const MAX_FIRST = 20;
/** The limits of a stored refusal: its problems, and the characters of each text. */
const MAX_PROBLEMS = 10;
const MAX_STORED = 500;

/** `file`: as the run has it; `name`: as people do. */
export type Refused = {
  file: string;
  name: string;
  location: SourceLocation;
  problems: RecordProblem[];
  raw: string | null;
};

/** Takes what is refused, one by one. */
export type Refusals = {
  add(refused: Refused): void;
  /** The first ones, for the stored run. */
  first(): readonly Refusal[];
};

/** Keeps the first refusals, and passes each on to `also`. */
export function createRefusals(also: (refused: Refused) => void = () => {}): Refusals {
  const first: Refusal[] = [];
  return {
    first: () => first,
    add(refused) {
      if (first.length < MAX_FIRST) first.push(stored(refused));
      also(refused);
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

import { expect, test } from "vitest";
import { parseRecord } from "../../domain/records/parse.ts";
import { sourceHash } from "../../../../tests/support/source-hash.ts";
import { formatOf, JOB_FORMATS } from "./formats.ts";
import { UPKEEP_JOBS } from "./queues.ts";

/** Imported so that `vitest --changed` runs the test when one of the modules behind it changes. */
const RULES = { "libs/shared/domain/records/parse.ts": parseRecord };

test("the rules of records are those of the format of ingest jobs", () => {
  const { hash, behind } = sourceHash(Object.keys(RULES));
  expect(
    { format: JOB_FORMATS.ingest, hash },
    "The rules of records have changed. If an indexer of the version before would refuse or misread a record that is accepted now, " +
      "raise the format of ingest jobs. Put the number and the hash here in either case.",
  ).toEqual({ format: 2, hash: "c983526d7ca17bfd" });
  expect(behind).toContain("libs/shared/domain/records/schemas.ts");
});

test("the names of upkeep jobs are those of their format", () => {
  expect(
    { format: JOB_FORMATS.upkeep, names: Object.values(UPKEEP_JOBS).toSorted() },
    "An indexer of the version before fails a job whose name it does not know. Raise the format of upkeep jobs, and put it and the names here.",
  ).toEqual({ format: 3, names: ["delete-missing", "maintain", "purge", "recover", "rederive"] });
});

test("jobs without a format are of the first one", () => {
  expect([undefined, null, {}, { records: [] }, { format: "9" }].map(formatOf)).toEqual([1, 1, 1, 1, 1]);
  expect(formatOf({ format: 3, records: [] })).toBe(3);
});

import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { parseMapping } from "../mapping/mapping.ts";
import { createIngestCounter } from "./counter.ts";
import { createFileProgress } from "./file-progress.ts";
import { noticesOf } from "./notices.ts";
import { readInputs } from "./read.ts";
import { createRefusals } from "./refusals.ts";

const path = (name: string) => join(import.meta.dirname, "cases", name);

/** Reads one of the files as an ingest does. */
async function read(name: string, map?: string) {
  const counter = createIngestCounter();
  const refused: string[] = [];
  const mapping = map === undefined ? undefined : parseMapping(JSON.parse(readFileSync(path(map), "utf8")));
  const open = async () => ({ bytes: createReadStream(path(name)), size: undefined, read: () => 0 });
  await readInputs(
    { inputs: [{ file: name, name, open }], format: undefined, mapping },
    {
      vocabulary: { dealTypes: dealTypes(), today: "2026-01-01", strict: false },
      progress: { begin: () => {}, at: () => {}, warn: () => {} },
      refusals: createRefusals(({ location, problems }) => {
        for (const { field, reason } of problems) refused.push(`${Object.values(location).join()} ${field}: ${reason}`);
      }),
      counter,
      fileProgress: createFileProgress([], () => ({ added: 0, enqueued: 0 })),
      interrupted: new AbortController().signal,
    },
    async () => {},
  );
  return { notices: noticesOf(counter.summary(0, false)), refused };
}

test.each([
  ["dup-ids.ndjson", undefined, "dur-1 in lines 2, 3, 4"],
  ["dup-ids.csv", "dup-ids.map.json", "rnd-dupe-two-2023-01-01 in lines 2, 3, 4"],
])("%s: records with the id of an earlier one are said", async (name, map, example) => {
  const { notices, refused } = await read(name, map);
  expect(refused).toEqual([]);
  expect(notices).toMatchObject([{ text: expect.stringContaining("2 records have the id"), examples: [example] }]);
});

test("typical mistakes are refused in words, with the value that was found", async () => {
  const { refused } = await read("typical-mistakes.ndjson");
  expect(refused).toEqual([
    expect.stringMatching(/^1 : is not JSON/),
    '5 founded_year: expected a whole number, found "2012"',
    '6 type: "Company" is not a valid record type. Known: company, investor, round, signal',
    '7 announced_date: expected a date that exists, as YYYY-MM-DD, found "2023-1-5"',
    '7 amount_usd: expected a number, or null when undisclosed, found "1000000"',
    "8 company_id: expected a text, found 12345678901234567000",
    '8 investors: expected a list, found "Red Fund, Blue Fund"',
    '9 announced_date: expected a date that exists, as YYYY-MM-DD, found "2023-02-30"',
    "9 amount_usd: must not be negative",
  ]);
});

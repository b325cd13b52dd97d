import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createIngestCounter } from "@tranche/intake/reading/counter";
import { createFileProgress } from "@tranche/intake/reading/file-progress";
import { readInputs } from "@tranche/intake/reading/read";
import { createRefusals } from "@tranche/intake/reading/refusals";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { afterAll, describe, expect, test } from "vitest";
import { fileInputs } from "./inputs.ts";
import { refusedLines } from "./refusals.ts";
import { summaryText } from "./summary-text.ts";

const folder = mkdtempSync(join(tmpdir(), "read-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a file as `ops ingest` does. */
async function read(name: string, content: string, strict: boolean) {
  const file = join(folder, name);
  writeFileSync(file, content);
  const counter = createIngestCounter();
  const refused: string[] = [];
  const ids: string[] = [];
  await readInputs(
    { inputs: await fileInputs([file], Readable.from([])), format: undefined, mapping: undefined },
    {
      vocabulary: { dealTypes: dealTypes(), today: "2026-01-01", strict },
      progress: { begin: () => {}, at: () => {}, warn: () => {} },
      refusals: createRefusals((one) => void refused.push(...refusedLines({ ...one, name }))),
      counter,
      fileProgress: createFileProgress([], () => ({ added: 0, enqueued: 0 })),
      interrupted: new AbortController().signal,
    },
    async (record) => void ids.push(record.id),
  );
  return { summary: counter.summary(0, false), refused, ids };
}

const RECORDS = [
  '{"type":"company","id":"a","name":"Acme","name":"Beta"}',
  '{"type":"company","id":"b","name":"Beta"}',
  '{"type":"round","id":"r","company_id":"a","announced_date":"2020-01-01","amount_usd":1,"investors":[{"investor_id":"i","is_lead":true,"is_lead":false}]}',
  '{"type":"company","id":"c","name":"","name":null,"nmae":1}',
  String.raw`{"type":"company","id":"d","name":"D","n\u0061me":"D"}`,
];

describe.each([
  ["NDJSON", "a.ndjson", RECORDS.join("\n"), (n: number) => `a.ndjson:${n}:`],
  ["a JSON array", "a.json", `[${RECORDS.join(",\n")}]`, (n: number) => `a.json: element ${n}:`],
])("a key that an object of %s has twice", (_, name, content, at) => {
  test("is counted, with the last value used", async () => {
    const { summary, ids, refused } = await read(name, content, false);
    expect(ids).toEqual(["a", "b", "r", "d"]);
    expect(summary.duplicate_keys).toEqual({ name: 2, "investors[].is_lead": 1 });
    expect(summaryText(summary)).toContain(
      "Duplicate keys, the last value of each was used (--strict refuses them): 3 ('name' 2, 'investors[].is_lead' 1)",
    );
    expect(refused).toEqual([
      `${at(4)} name: expected a text, found null`,
      `${at(4)} nmae: is not a known field, did you mean 'name'?`,
    ]);
  });

  test("refuses its record with --strict, beside everything else that is wrong with it", async () => {
    const { summary, ids, refused } = await read(name, content, true);
    expect(ids).toEqual(["b"]);
    expect(summary).toMatchObject({ duplicate_keys: {}, rows: { read: 5, with_records: 1, refused: 4 } });
    expect(refused).toEqual([
      `${at(1)} name: is given more than once: keep one of them`,
      `${at(3)} investors[].is_lead: is given more than once: keep one of them`,
      `${at(4)} name: is given more than once: keep one of them`,
      `${at(4)} name: expected a text, found null`,
      `${at(4)} nmae: is not a known field, did you mean 'name'?`,
      `${at(5)} name: is given more than once: keep one of them`,
    ]);
  });
});

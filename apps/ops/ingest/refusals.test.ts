import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRefusals } from "./refusals.ts";

const refused = (line: number) => ({
  file: "a.ndjson",
  name: "in/a.ndjson",
  location: { line },
  problems: [{ field: "id", reason: "is wrong" }],
  raw: "{}",
});

test("people see the first 20 and how many more; the file has all", () => {
  const folder = mkdtempSync(join(tmpdir(), "refusals-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "rejects.ndjson");
  const told: string[] = [];
  const refusals = openRefusals(path, (line) => void told.push(line));
  for (let line = 1; line <= 25; line++) refusals.add(refused(line));
  refusals.close();
  expect(told).toHaveLength(21);
  expect(told[0]).toBe("in/a.ndjson:1: id: is wrong");
  expect(told[20]).toBe(`… and 5 more refusals: all are in ${path}`);
  const lines = readFileSync(path, "utf8").trim().split("\n");
  expect(lines).toHaveLength(25);
  expect(JSON.parse(lines[24]!)).toEqual({
    file: "in/a.ndjson",
    line: 25,
    problems: [{ field: "id", reason: "is wrong" }],
    raw: "{}",
  });
});

test("the first 20 are kept for the stored run, cut to what a page can show", () => {
  const refusals = openRefusals(undefined, () => {});
  const problems = Array.from({ length: 30 }, () => ({ field: "x".repeat(9000), reason: "y".repeat(9000) }));
  refusals.add({ ...refused(1), problems });
  for (let line = 2; line <= 25; line++) refusals.add(refused(line));
  const [first, second, ...rest] = refusals.first();
  expect(first!.problems).toHaveLength(10);
  expect(first!.problems[0]).toEqual({ field: "x".repeat(500), reason: "y".repeat(500) });
  expect(second).toEqual({ file: "a.ndjson", line: 2, problems: [{ field: "id", reason: "is wrong" }] });
  expect(rest).toHaveLength(18);
});

test("a file that can't be written is an error before anything is read", () => {
  expect(() => openRefusals("/no/such/folder/x", () => {})).toThrow(
    "The refused lines can't be written to /no/such/folder/x",
  );
});

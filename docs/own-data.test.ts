import { readFileSync } from "node:fs";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { answersIn } from "@tranche/intake/suggest/answers";
import { sampleOf } from "@tranche/intake/suggest/sample";
import { previewOf } from "@tranche/intake/suggest/preview";
import { suggestMapping } from "@tranche/intake/suggest/suggest";
import { suggestionFor } from "@tranche/intake/suggest/suggested";

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const CSV = read("examples/deals.csv");

test("the file of docs/run/own-data.md is shown as it is, and leaves open what the page answers", async () => {
  const page = read("run/own-data.md");
  expect(page).toContain(CSV.split("\n").slice(0, 3).join("\n"));
  const [, answer] = /--answer (rates=\S+)/.exec(page)!;
  const questions = async (answers: string[]) => {
    const parts = { dealTypes: dealTypes(), today: "2026-01-01", answers: answersIn(answers) };
    return suggestMapping(await sampleOf({ bytes: Buffer.from(CSV), isWhole: true }), parts)!.questions.map(
      ({ id }) => id,
    );
  };
  expect(await questions([])).toEqual(["rates"]);
  expect(await questions([answer!])).toEqual([]);
});

test("the file of docs/run/first-file.md is read as the page says", async () => {
  const page = read("run/first-file.md");
  const bytes = readFileSync(new URL("examples/deals-odd.csv", import.meta.url));
  const lines = new TextDecoder("windows-1252").decode(bytes).split("\r\n");
  for (const line of [lines[0], lines[1], lines[4], lines[7]]) expect(page).toContain(line);
  const vocabulary = { dealTypes: dealTypes(), today: "2026-01-01" };
  const beginning = { bytes, isWhole: true };
  const open = await suggestionFor(beginning, vocabulary, {});
  expect(open.questions.map(({ id }) => id)).toEqual(["rates"]);
  expect(open.columns.filter(({ role }) => role === undefined).map(({ column }) => column)).toEqual(["Bemerkung"]);
  const answers = answersIn([/--answer (rates=\S+)/.exec(page)![1]!]);
  const { good, rows, entries } = await previewOf(
    await suggestionFor(beginning, vocabulary, answers),
    beginning,
    vocabulary,
  );
  expect([good, rows]).toEqual([11, 12]);
  expect(entries.find((entry) => "refused" in entry)).toMatchObject({ at: { line: 10 } });
  expect(entries.map((entry) => ("listed" in entry ? entry.listed[4] : ""))).toContain("13,392,000");
});

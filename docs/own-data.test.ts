import { readFileSync } from "node:fs";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { answersIn } from "@tranche/intake/suggest/answers";
import { sampleOf } from "@tranche/intake/suggest/sample";
import { suggestMapping } from "@tranche/intake/suggest/suggest";

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const CSV = read("examples/deals.csv");

test("the file of docs/run/own-data.md is shown as it is, and leaves open what the page answers", async () => {
  const page = read("run/own-data.md");
  expect(page).toContain(CSV.split("\n").slice(0, 3).join("\n"));
  const [, answer] = /--answer (rates=\S+)/.exec(page)!;
  const questions = async (answers: string[]) => {
    const parts = { dealTypes: dealTypes(), today: "2026-01-01", answers: answersIn(answers) };
    return suggestMapping(await sampleOf(Buffer.from(CSV)), parts)!.questions.map(({ id }) => id);
  };
  expect(await questions([])).toEqual(["rates"]);
  expect(await questions([answer!])).toEqual([]);
});

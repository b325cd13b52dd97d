import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { answersIn, checkColumns } from "@tranche/intake/suggest/answers";
import type { Answers } from "@tranche/intake/suggest/given";
import { converse } from "./dialogue.ts";
import { sampleOf } from "@tranche/intake/suggest/sample";
import { suggestMapping } from "@tranche/intake/suggest/suggest";

const FILE = "Firma,Datum,Betrag (Mio. EUR),Anderer Betrag\nAcme,01/02/2020,5,7\nBeta,03/04/2020,6,8\n";

/** Talks about a file as a person who types these lines; what was said, and the mapping that they agreed to. */
async function talk(content: string, typed: string[]) {
  const said: string[] = [];
  let shown = 0;
  const suggest = async (answers: Answers) => {
    const given = answersIn(Object.entries(answers).map(([id, answer]) => `${id}=${answer}`));
    const sample = await sampleOf({ bytes: Buffer.from(content), isWhole: true });
    const suggestion = suggestMapping(sample, { dealTypes: dealTypes(), today: "2026-01-01", answers: given })!;
    checkColumns(suggestion, given);
    return suggestion;
  };
  const agreed = await converse(suggest, async () => void shown++, "Ingest?", {
    tell: (line) => void said.push(line),
    ask: async (text) => {
      said.push(text);
      const next = typed.shift();
      if (next === undefined) throw new Error(`nothing left to type after ${text}`);
      return next;
    },
  });
  return { said, shown, left: typed, mapping: agreed?.mapping as { values: Record<string, object> } | undefined };
}

test("questions are asked one after the other; answers are numbers, names or free texts", async () => {
  const { mapping, said, shown } = await talk(FILE, ["1", "perhaps", "1", "EUR=1.5", "yes"]);
  expect(said[0]).toContain("Which column holds the amount of the round?");
  expect(said[0]).toContain("1  Betrag (Mio. EUR): such as '5', '6'");
  expect(said).toContain("Expected one of the answers, or its number.");
  expect(mapping!.values).toMatchObject({
    date: { formats: ["dd/MM/yyyy"] },
    amount: { column: "Betrag (Mio. EUR)", factor: 1_000_000, currency: { is: "EUR", rates: { EUR: 1.5 } } },
  });
  expect(mapping).not.toHaveProperty("questions");
  expect(shown).toBe(2);
});

test("a wrong answer is said, and asked again", async () => {
  const { said, mapping } = await talk(FILE, ["1", "2", "a lot", "refuse", "yes"]);
  expect(said).toContain("Expected one of the answers, or its number, or a rate such as EUR=1.1.");
  expect(mapping!.values).toMatchObject({ date: { formats: ["MM/dd/yyyy"] }, amount: { currency: { rates: {} } } });
});

test("a person corrects a column, or gives up", async () => {
  const content = "Company,Date,Amount,Total\nAcme,2020-01-13,500000,600000\n";
  const { mapping, said, shown } = await talk(content, ["amount=Sum", "amount=Total", "yes"]);
  expect(said).toContain("amount=Sum: the file has no column 'Sum'");
  expect(shown).toBe(2);
  expect(mapping!.values).toMatchObject({ amount: { column: "Total" } });
  expect((await talk(content, ["no"])).mapping).toBeUndefined();
});

test("answers of the command line are checked", () => {
  expect(answersIn(["rates=EUR=1.5", "amount=Total"])).toEqual({ rates: "EUR=1.5", amount: "Total" });
  expect(() => answersIn(["date"])).toThrow("expected ID=ANSWER");
  expect(() => answersIn(["date-order=day_first"])).toThrow("no question is called 'date-order'");
  expect(() => answersIn(["date_order=days"])).toThrow("'days' is not an answer to 'date_order'");
});

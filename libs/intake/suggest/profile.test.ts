import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { previewOf } from "./preview.ts";
import { profileOf } from "./profile.ts";
import { suggestionFor } from "./suggested.ts";

const vocabulary = { dealTypes: dealTypes(), today: "2026-01-01" };
const CSV = `Company,Country,Date,Round,Amount (USD),Investors
Acme,Germany,2020-01-13,Seed,500000,"Red Fund, Blue Fund"
Beta,France,someday,Seed,400000,Red Fund
Gamma,France,2021-02-03,Series A,900000,Red Fund
"Delta",France,2021-02-03,Series A
`;

async function preview(text: string, answers = {}) {
  const beginning = { bytes: Buffer.from(text), isWhole: true };
  return previewOf(await suggestionFor(beginning, vocabulary, answers), beginning, vocabulary);
}

test("rows as they will be listed, and refusals beside their rows", async () => {
  const { rows, good, entries, lines } = await preview(CSV);
  expect([rows, good]).toEqual([4, 2]);
  expect(entries).toEqual([
    { at: { line: 2 }, listed: ["2020-01-13", "Acme", "DE", "seed", "500,000", "Red Fund, Blue Fund"] },
    { at: { line: 3 }, refused: expect.stringContaining("someday") },
    { at: { line: 4 }, listed: ["2021-02-03", "Gamma", "FR", "series_a", "900,000", "Red Fund"] },
    { at: { line: 5 }, refused: expect.stringContaining("4") },
  ]);
  expect(lines).toContain("Days: 2020-01-13 to 2021-02-03");
  expect(lines).toContain("Amounts: 500,000 to 900,000");
  expect(lines).toContain("Investors: Red Fund 2, Blue Fund 1");
});

test("while a rate is open, amounts are in the currency of the file", async () => {
  const euros = CSV.replace("(USD)", "(EUR)");
  expect(await preview(euros)).toMatchObject({ isRateOpen: true, good: 2 });
  const answered = await preview(euros, { rates: "EUR=2" });
  expect(answered).toMatchObject({ isRateOpen: false });
  expect(answered.entries[0]).toMatchObject({ listed: expect.arrayContaining(["1,000,000"]) });
});

test("a file of records needs no mapping", async () => {
  const bytes = Buffer.from(
    '{"type":"company","id":"c1","name":"Acme","country":"DE"}\n{"type":"company","id":"c2"}\n{"type":"round"',
  );
  const { entries } = await profileOf({ bytes, isWhole: true }, undefined, vocabulary);
  expect(entries).toMatchObject([{ listed: ["", "Acme", "DE", "", "", ""] }, { refused: expect.any(String) }, {}]);
});

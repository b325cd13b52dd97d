import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { byLines, bySuggestion, whyOf } from "../../../tests/support/by-suggestion.ts";
import { suggestionFor } from "./suggested.ts";

test("a file that is not text is refused with what it is, and UTF-16 is read", async () => {
  await expect(bySuggestion(Buffer.from("504b030400000000", "hex"))).rejects.toThrow("Excel workbook");
  const { suggestion, records } = await bySuggestion(
    iconv.encode("Company;Country\nAcme;Germany\n", "utf16", { addBOM: true }),
  );
  expect(suggestion!.mapping).toMatchObject({ encoding: "utf16", delimiter: ";" });
  expect(records.get("co-acme")).toMatchObject({ name: "Acme", country: "DE" });
});

test.each([
  ["Acme,2020-01-13,500000\nBeta,2020-02-13,600000\n", "looks like a row ('Acme', '2020-01-13', '500000')"],
  ["Deals 2020,,,\nCompany,Date,Amount,Round\nAcme,2020-01-13,500000,Seed\n", "has no names for 3 of its 4 columns"],
  [",Date,Amount\nAcme,2020-01-13,500000\n", "has no name for the column with texts such as 'Acme'"],
  [",City,Date\nAcme,Berlin,2020-01-13\n", "has no name for the column with texts such as 'Acme'"],
  ["Company,Date,Date\nAcme,2020-01-13,2020-01-14\n", "more than one column 'Date'"],
])("a file whose first line does not name its columns is refused: %j", async (content, reason) => {
  await expect(bySuggestion(content)).rejects.toThrow(reason);
});

describe("files that are no tables", () => {
  const refusal = (bytes: Buffer) =>
    suggestionFor({ bytes, isWhole: true }, { dealTypes: dealTypes(), today: "2026-01-01" }, {}).then(
      () => undefined,
      (error: Error) => error.message,
    );

  test.each<[string, Buffer, string]>([
    ["a zip archive with another name", Buffer.from("504b030414000000", "hex"), "zip archive"],
    ["a picture", Buffer.from(`89504e470d0a1a0a${"00ff".repeat(50)}`, "hex"), "is not text"],
    ["no header", Buffer.from("Acme,2020-01-01,1000000\nBeta,2020-02-01,2000000\n"), "looks like a row"],
    [
      "a title above the header",
      Buffer.from("Rounds of 2020,,\nName,Date,Amount\nAcme,2020-01-13,1\n"),
      "no names for 2",
    ],
    [
      "10,000 columns",
      Buffer.from(`${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(",")}\n`),
      "has 10,000 columns",
    ],
    ["nothing", Buffer.alloc(0), "is empty"],
  ])("%s", async (_, bytes, text) => {
    expect(await refusal(bytes)).toContain(text);
  });
});

test("the expressions of a suggestion take linear time, whatever a row has later", async () => {
  const csv = [
    "Company,Location,Date,Amount (EUR),Investors",
    'Acme[1],Berlin (Germany),2020-01-13 12:05,1-2,"Blue*, [Red](https://red.example), Grey (L)"',
    "Beta &amp; Co,Paris (France),Jan 14th of 2020 9:05 PM,2.5,Lead: Blue ($5m)",
    "Gamma,Rom (Italien),1. März 2021,about 3,• Blue",
    'Epsilon,Rom (Italien),1. März 2021,5,"1. Blue: $5M, 2. Red <a@red.example> - lead, 3. **Grey** (60 %)"',
    "Delta,Rom (Italien),1. März 2021 12:05 (CET),4,Blue with participation from Red",
  ];
  const { mapping } = (await byLines(csv)).suggestion!;
  const written = JSON.stringify(mapping);
  expect(written).toContain("–");
  const expressions: string[] = [];
  JSON.parse(written, (key, value: unknown) => {
    if (key === "replace") for (const [from] of value as [string][]) expressions.push(from);
    if (key === "empty") expressions.push(...(value as string[]).map((each) => `^(?:${each})$`));
    return value;
  });
  expect(expressions.length).toBeGreaterThan(2);
  for (const expression of expressions)
    for (const text of [
      "9",
      "t",
      "-",
      " ",
      "9-",
      "a ",
      "*",
      "(",
      "[a",
      " (L",
      " 1:00 (",
      "participation from ",
      "<@",
      "$9",
      ": $",
      "1. ",
      "\n",
      ",",
    ]) {
      const started = performance.now();
      `${text.repeat(100_000)}\n!`.replace(new RegExp(expression, "giu"), "");
      expect([expression, text, performance.now() - started < 300]).toEqual([expression, text, true]);
    }
});

test("a file of which nothing can be told gets a short text", async () => {
  const suggest = (bytes: Buffer) =>
    suggestionFor({ bytes, isWhole: true }, { dealTypes: dealTypes(), today: "2026-01-01" }, {});
  const refusal = async (bytes: Buffer) => (await suggest(bytes).catch((error: Error) => error)) as Error;
  const long = await refusal(Buffer.alloc(300_000, "a"));
  expect(long.message).toMatch(/^has a column whose name has 300,000 characters \('a{60}…'\), expected at most 500/);
  const wide = await refusal(Buffer.from(`${Array.from({ length: 900 }, (_, n) => `x${n}`).join(",")}\n`));
  expect(wide.message).toContain("'x19', 880 more)");
  const json = await refusal(iconv.encode('[{"Company":"Acme","Date":"2024-01-13"}]\n', "utf16"));
  expect(json.message).toContain("is JSON in UTF-16, expected UTF-8");
});

test.each([
  [",Company,Date,Amount", "7,A,2020-01-13,$1M"],
  ["Company,Date,Amount,", "A,2020-01-13,$1M,$2M"],
])("a column without a name is not used, and that is said: %s", async (...lines) => {
  const made = await byLines(lines);
  expect([made.suggestion!.questions, made.records.size, whyOf(made, "")]).toEqual([[], 2, "it has no name"]);
});

import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { bySuggestion, type Made, ofType } from "./by-suggestion.ts";
import type { Answers } from "./given.ts";

/** Tables that are easily read wrongly without a word. */
const read = (lines: readonly string[], answers: Answers = {}) =>
  bySuggestion(Buffer.from(`${lines.join("\n")}\n`), answers);
const asked = ({ suggestion }: Made) => suggestion!.questions.map(({ id }) => id);
const companies = (made: Made) => ofType(made, "company").map(({ name }) => name);
const investors = (made: Made) => ofType(made, "investor").map(({ name }) => name);
const why = ({ suggestion }: Made, column: string) => suggestion!.columns.find((each) => each.column === column)!.why;

describe("rows that sum up others are left out", () => {
  test.each(["Total", "Totals:", "Grand Total", "Summe", "Gesamtsumme", "Total général", "合计"])(
    "%s",
    async (name) => {
      const made = await read(["Company,Year,Amount", "Acme,2021,$1M", "Beta,2021,$2M", `${name},2021,$3M`]);
      expect([companies(made), made.refused]).toEqual([["Acme", "Beta"], []]);
      expect(made.suggestion!.notes).toEqual([`Rows of '${name}' sum up others, and are left out.`]);
    },
  );

  test("a company with such a name is none", async () => {
    const made = await read(["Company,Year,Amount", "Total,2021,$1M", "Beta,2021,$2M"]);
    expect(companies(made)).toEqual(["Total", "Beta"]);
  });
});

describe("lists of investors", () => {
  const rows = ["Company,Date,Amount,Investors", '"A",2021-01-13,$1M,"Alpha (lead), Beta; Gamma & Co"'];

  test("two marks that could separate are asked about, and marks of leads taken off", async () => {
    const made = await read([...rows, 'B,2021-01-14,$2M,"Beta (Lead Investor), Delta, Inc."']);
    expect(asked(made)).toEqual(["list_separator"]);
    expect(why(made, "Investors")).toContain("marks such as '(lead)' are taken off");
    const split = await read([...rows, 'B,2021-01-14,$2M,"Beta (Lead Investor), Delta, Inc."'], {
      list_separator: "split",
    });
    expect([asked(split), investors(split)]).toEqual([[], ["Alpha", "Beta", "Gamma & Co", "Delta, Inc."]]);
    const kept = await read(rows, { list_separator: "keep" });
    expect([asked(kept), investors(kept)]).toEqual([[], ["Alpha, Beta", "Gamma & Co"]]);
  });

  test("the word before the last one is asked about", async () => {
    const list = ["Company,Date,Amount,Investors", 'A,2021-01-13,$1M,"Alpha, Beta and Gamma"'];
    expect(asked(await read(list))).toEqual(["list_separator"]);
    expect(investors(await read(list, { list_separator: "split" }))).toEqual(["Alpha", "Beta", "Gamma"]);
  });

  test("others without a name are nobody", async () => {
    const lists = [
      '"Alpha, and 3 others"',
      '"Beta, et al."',
      '"Gamma, undisclosed investors"',
      '"Delta, 2 more"',
      "\\N",
    ];
    const made = await read([
      "Company,Date,Amount,Investors",
      ...lists.map((list, n) => `A${n},2021-01-13,$1M,${list}`),
    ]);
    expect([asked(made), investors(made)]).toEqual([[], ["Alpha", "Beta", "Gamma", "Delta"]]);
  });

  test("sentences name nobody, and that is said", async () => {
    const made = await read([
      "Company,Date,Amount,Investors",
      'A,2021-01-13,$1M,"Led by Alpha with participation from Beta and Gamma"',
      'B,2021-01-14,$2M,"Delta"',
    ]);
    expect([asked(made), investors(made)]).toEqual([[], ["Delta"]]);
    expect(why(made, "Investors")).toContain("'Led by Alpha with participation from Beta and Gamma', name nobody");
  });
});

describe("files that are written in another way", () => {
  const table = ["Company;Date;Amount", "Zoë;2021-01-13;$1M", "B;2021-01-14;$2M"];
  const rounds = (made: Made) =>
    ofType(made, "round").map(({ announced_date, amount_usd }) => [announced_date, amount_usd]);
  const expected = [
    ["2021-01-13", 1_000_000],
    ["2021-01-14", 2_000_000],
  ];

  test.each([
    ["the line in which Excel names the delimiter", ["sep=;", ...table].join("\r\n")],
    ["single quotes", table.map((line) => `'${line.replaceAll(";", "','")}'`).join("\n")],
    ["UTF-16 without its mark", iconv.encode(table.join("\n"), "utf-16le", { addBOM: false })],
    ["big-endian UTF-16 without its mark", iconv.encode(table.join("\n"), "utf-16be", { addBOM: false })],
    [
      "lines of JSON that end in a comma",
      '{"company":"Zoë","date":"2021-01-13","amount":"$1M"},\n{"company":"B","date":"2021-01-14","amount":"$2M"},\n',
    ],
  ])("%s", async (_, content) => {
    const made = await bySuggestion(Buffer.from(content));
    expect([asked(made), made.refused, companies(made), rounds(made)]).toEqual([[], [], ["Zoë", "B"], expected]);
  });

  test.each([
    [
      "a title above the names",
      ["Rounds of 2021", "", "Company,Date", "A,2021-01-13", "B,2021-01-14"],
      "has 1 column in its first line ('Rounds of 2021'), and 2 in the next ones",
    ],
    [
      "two lines of names",
      [",,Round", "Company,Country,Date", "A,DE,2021-01-13"],
      "has no names for 2 of its 3 columns",
    ],
    ["names that repeat", ["Company,Amount,Amount", "A,1,2"], "has more than one column 'Amount'"],
    [
      "a delimiter at the end of each row",
      ["Company,Date", "A,2021-01-13,", "B,2021-01-14,"],
      "and 3 in the next ones",
    ],
    ["a table of HTML", ["<html><body><table><tr><td>Company</td></tr>"], "is HTML or XML"],
    ["JSON by columns", ['{"company":{"0":"A"},"date":{"0":"2021"},"amount":{"0":1}}'], "as members of one object"],
    ["JSON with rows as lists", ['{"columns":["company"],"data":[["A"],["B"]]}'], "has its rows as lists"],
  ])("%s: refused with a reason", async (_, lines, reason) => {
    await expect(read(lines)).rejects.toThrow(reason);
  });
});

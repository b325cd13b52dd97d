import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import {
  amountsIn,
  byLines,
  bySuggestion,
  type Made,
  namesOf,
  ofType,
  questionsOf,
  whyOf,
} from "../../../tests/support/by-suggestion.ts";

/** Tables that are easily read wrongly without a word. */
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
    [
      "a blank line before lines of JSON",
      '\n{"company":"Zoë","date":"2021-01-13","amount":"$1M"}\n\n{"company":"B","date":"2021-01-14","amount":"$2M"}\n',
    ],
  ])("%s", async (_, content) => {
    const made = await bySuggestion(Buffer.from(content));
    expect([questionsOf(made), made.refused, namesOf(made, "company"), rounds(made)]).toEqual([
      [],
      [],
      ["Zoë", "B"],
      expected,
    ]);
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
    [
      "two lines of names, of which the first has most",
      ["Company,Round,,Location", "Name,Date,Amount,City", "A,2020-01-13,$1M,Berlin"],
      "has two lines with names of columns: the second one has 'Name', 'Date', 'Amount', 'City'",
    ],
    ["names that repeat", ["Company,Amount,Amount", "A,1,2"], "has more than one column 'Amount'"],
    [
      "a delimiter at the end of each row",
      ["Company,Date", "A,2021-01-13,", "B,2021-01-14,"],
      "and 3 in the next ones",
    ],
    ["a table of HTML", ["<html><body><table><tr><td>Company</td></tr>"], "is HTML or XML"],
    [
      "comments above the names",
      [
        "# made by hand, in 2021",
        "# for all",
        "Company,Date,City",
        "A,2021-01-13,B",
        "C,2021-01-14,D",
        "E,2021-01-15,F",
      ],
      "and 3 in the next ones: remove what is above",
    ],
    ["JSON by lists", ['{"company":["A","B"],"date":["2021-01-13","2021-01-14"]}'], "as members of one object"],
    [
      "JSON by ids, of which one has less",
      ['{"n":2,"data":{"x1":{"company":"A","date":"2021-01-13","amount":1},"x2":{"company":"B","date":"2021-01-14"}}}'],
      "as members of one object",
    ],
    ["JSON by columns", ['{"company":{"0":"A"},"date":{"0":"2021"},"amount":{"0":1}}'], "as members of one object"],
    ["JSON with rows as lists", ['{"columns":["company"],"data":[["A"],["B"]]}'], "has its rows as lists"],
  ])("%s: refused with a reason", async (_, lines, reason) => {
    await expect(byLines(lines)).rejects.toThrow(reason);
  });
});

describe("what looks right and is not", () => {
  test("a part of what was raised is not its amount", async () => {
    const made = await byLines([
      "Company,Date,Debt raised,Total raised",
      "A,2021-01-13,$1M,$6M",
      "B,2021-01-14,$0,$3M",
    ]);
    expect(amountsIn(made)).toEqual([6e6, 3e6]);
    expect(whyOf(made, "Debt raised")).toBe("it is a part of what was raised");
  });

  test("one name in two countries is said", async () => {
    const made = await byLines([
      "Company,Country,Date,Amount",
      "Apollo,US,2021-01-13,$5M",
      "Apollo,India,2021-01-14,$6M",
    ]);
    expect(made.suggestion!.notes.join()).toContain("Rows of 'Apollo' have different countries");
  });

  test("members around every field of an export say nothing", async () => {
    const rows = ["A", "B"].map((name, n) => ({
      id: `rec${n}`,
      createdTime: "2022-01-01T00:00:00.000Z",
      fields: { Company: name, Date: "2021-01-13", Amount: 5e6 },
    }));
    const made = await byLines([JSON.stringify({ records: rows, offset: "x" })]);
    expect([questionsOf(made), namesOf(made, "company")]).toEqual([[], ["A", "B"]]);
  });

  test("a round amount in francs", async () => {
    const made = await byLines(["Firma;Datum;Betrag", "A;13.01.2021;CHF 1'250'000.–", "B;14.01.2021;CHF 500'000.-"], {
      rates: "2",
    });
    expect(amountsIn(made)).toEqual([2_500_000, 1_000_000]);
  });

  test.each(["Grant amount", "Loan amount", "Debt raised"])(
    "%s is the amount where there is no other",
    async (name) => {
      const made = await byLines([`Company,Date,Type,${name}`, "A,2021-01-13,Grant,$1M", "B,2021-01-14,Grant,$2M"]);
      expect([questionsOf(made), amountsIn(made)]).toEqual([[], [1e6, 2e6]]);
    },
  );

  test("a grant is not the amount beside another one", async () => {
    const made = await byLines(["Company,Date,Grant amount,Amount", "A,2021-01-13,$1M,$3M", "B,2021-01-14,$2M,$4M"]);
    expect([questionsOf(made), amountsIn(made)]).toEqual([[], [3e6, 4e6]]);
    expect(whyOf(made, "Grant amount")).toBe("it is a part of what was raised");
  });

  test("pages of JSON, whose lists have names that say nothing", async () => {
    const item = (company: string) => ({ company, date: "2021-01-13", amount: "$1M" });
    const pages = [
      { page: 1, data: [item("A"), item("B")] },
      { page: 2, data: [item("C")] },
    ];
    const made = await byLines([JSON.stringify(pages)]);
    expect([questionsOf(made), namesOf(made, "company")]).toEqual([[], ["A", "B", "C"]]);
  });

  test("what one investor gave is not said to be the round", async () => {
    const made = await byLines(["Fund,Company,Date,Amount invested", "Blue,A,2021-01-13,$5M", "Red,A,2021-01-13,$6M"]);
    expect(namesOf(made, "investor")).toEqual(["Blue", "Red"]);
    const amount = made.suggestion!.columns.find(({ column }) => column === "Amount invested");
    expect(amount).toMatchObject({ sure: "likely", why: expect.stringContaining("what one investor gave") });
  });

  test("of the total of all rounds and the day of the last one no round is made", async () => {
    const made = await byLines([
      "name,size,last_funding_date,latest_funding_stage,total_funding_raised",
      "A,51-200,2020-01-13,seed,15000000",
      'B,"10,001+",2020-01-14,series_a,1000000',
    ]);
    expect([questionsOf(made), ofType(made, "round")]).toMatchObject([
      [],
      [{ amount_usd: null }, { amount_usd: null }],
    ]);
    expect(whyOf(made, "total_funding_raised")).toContain("the total of all rounds");
  });

  test("the errors of a spreadsheet say nothing", async () => {
    const made = await byLines([
      "Company,Date,Amount,Investors",
      "A,2020-01-13,#REF!,#N/A",
      "B,2020-01-14,#DIV/0!,#VALUE!",
      "C,2020-01-15,$1M,Blue",
    ]);
    expect([questionsOf(made), namesOf(made, "investor")]).toEqual([[], ["Blue"]]);
    expect(amountsIn(made)).toEqual([null, null, 1e6]);
  });

  test("the letter of a round is no id", async () => {
    const made = await byLines([
      "name,funding_round_type,funding_round_code,funded_at",
      "Kite,venture,A,2020-01-13",
      "Moss,seed,,2020-01-14",
    ]);
    expect([made.refused, ofType(made, "round").map(({ id }) => id)]).toEqual([
      [],
      ["rnd-kite-2020-01-13-1", "rnd-moss-2020-01-14-1"],
    ]);
  });

  test("salaries are no amounts of rounds", async () => {
    const made = await byLines(["Employer,Position,Salary (USD),Posted", "A,Engineer,120000,2023-01-13"]);
    expect([questionsOf(made), made.suggestion!.kind]).toEqual([[], "hiring"]);
  });

  test.each(["Jobs cut", "Number of Workers", "layoffs.count"])("'%s' are laid off", async (name) => {
    const made = await byLines([`Company,WARN Date,${name}`, "A,1/13/2023,120", "B,1/17/2023,45"]);
    expect([questionsOf(made), made.suggestion!.kind]).toEqual([[], "layoffs"]);
  });
});

test("Turkish is among the encodings that are asked about", async () => {
  const made = await bySuggestion(
    iconv.encode("Company,Date,Amount\nYıldız Işık,2020-01-13,$1M\nGüneş Çağ,2020-01-14,$2M\n", "windows-1254"),
  );
  expect(made.suggestion!.questions).toMatchObject([
    { id: "encoding", answers: { "windows-1254": "read the file as windows-1254" } },
  ]);
});

test("texts that were garbled before are said", async () => {
  const made = await byLines(["Company,Date,Amount", "CafÃ© Noir,2020-01-13,$1M", "São Bento,2020-01-14,$2M"]);
  expect(made.suggestion!.notes).toEqual([
    "Texts such as 'CafÃ© Noir' were already garbled when the file was written (probably 'Café Noir'). Export the file again as UTF-8.",
  ]);
});

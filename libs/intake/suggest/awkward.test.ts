import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { bySuggestion, type Made, ofType } from "../../../tests/support/by-suggestion.ts";
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

  test("each of several", async () => {
    const made = await read([
      "Company,Year,Amount",
      "Acme,2021,$1M",
      "Beta,2021,$2M",
      "Subtotal,2021,$3M",
      "Gamma,2021,$4M",
      "Subtotal,2021,$4M",
      "Grand Total,2021,$7M",
      "Total,2021,$7M",
    ]);
    expect([companies(made), made.refused]).toEqual([["Acme", "Beta", "Gamma"], []]);
    expect(made.suggestion!.notes).toEqual([
      "Rows of 'Subtotal', 'Grand Total', 'Total' sum up others, and are left out.",
    ]);
  });

  test("a company with such a name is none", async () => {
    const made = await read(["Company,Year,Amount", "Total,2021,$1M", "Beta,2021,$2M"]);
    expect(companies(made)).toEqual(["Total", "Beta"]);
    const twice = await read(["Company,Year,Amount", "Total,2021,$1M", "Beta,2021,$2M", "Total,2022,$3M"]);
    expect(companies(twice)).toEqual(["Total", "Beta"]);
  });

  test("the last row that is looked at is not the last one of a longer file", async () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => `C${n},2021-01-13,$1M`);
    rows[9_999] = "Total,2021-01-13,$1M";
    const made = await read(["Company,Date,Amount", ...rows, "Beta,2021-01-13,$2M"]);
    expect(made.suggestion!.sample.rows.at(-1)!["Company"]).toBe("Total");
    expect(made.suggestion!.mapping).not.toHaveProperty("skip");
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

  test.each([
    "Led by Alpha, with participation from Beta, Gamma Ventures",
    "Alpha, Beta, with participation from Gamma",
    "Co-led by Alpha, Beta",
  ])("a sentence with commas names nobody either: %s", async (sentence) => {
    const lists = ["Delta", "Delta, Epsilon", sentence];
    const made = await read([
      "Company,Date,Amount,Investors",
      ...lists.map((list, n) => `A${n},2021-01-13,$1M,"${list}"`),
    ]);
    expect(investors(made)).toEqual(["Delta", "Epsilon"]);
    expect(why(made, "Investors")).toContain(`'${sentence}', name nobody`);
  });

  test("a sentence among items that are apart is one item", async () => {
    const json = [{ company: "A", date: "2021-01-13", amount: "$1M", investors: ["Led by Alpha, Beta", "Gamma"] }];
    const made = await bySuggestion(Buffer.from(JSON.stringify(json)));
    expect(investors(made)).toEqual(["Gamma"]);
    const lines = await read(["Company,Date,Amount,Investors", 'A,2021-01-13,$1M,"Led by Alpha, Beta\nGamma"']);
    expect(investors(lines)).toEqual(["Gamma"]);
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

describe("languages and notations", () => {
  const facts = (made: Made) =>
    ofType(made, "round").map((round) => [
      round["announced_date"],
      round["amount_usd"],
      dealTypes().find(String(round["deal_type"])),
    ]);

  test.each<[string, string[], unknown[]]>([
    [
      "Korean",
      [
        "회사,날짜,투자금,라운드,투자자",
        "가나,2021년 1월 13일,30억원,시리즈A,다라",
        "마바,2021년 1월 14일,500만원,시드,사아",
      ],
      [
        ["2021-01-13", 30e8, "series_a"],
        ["2021-01-14", 5e6, "seed"],
      ],
    ],
    [
      "Japanese",
      [
        "会社名,日付,調達額,ラウンド,投資家",
        "青空,2021年3月5日,3億円,シリーズA,東京VC",
        "山田,2021年3月6日,5000万円,シード,大阪VC",
      ],
      [
        ["2021-03-05", 3e8, "series_a"],
        ["2021-03-06", 5e7, "seed"],
      ],
    ],
    [
      "Chinese",
      [
        "公司,融资时间,融资金额,轮次,投资方",
        "蓝鲸,2021-01-13,1.5亿元人民币,A+轮,红杉",
        "云海,2021-01-15,300万元人民币,天使轮,北山",
      ],
      [
        ["2021-01-13", 1.5e8, "series_a"],
        ["2021-01-15", 3e6, "angel"],
      ],
    ],
    [
      "French",
      [
        "Société;Date;Montant;Tour",
        "Étoile;05/03/2021;1,2 Md€;Série B",
        "Lune;25/03/2021;1,5 million d'euros;Amorçage",
      ],
      [
        ["2021-03-05", 1.2e9, "series_b"],
        ["2021-03-25", 1.5e6, "seed"],
      ],
    ],
    [
      "Portuguese",
      ["Empresa;Data;Valor;Rodada", "Azul;13/01/2021;R$ 1,2 bilhão;Série A", "Sol;14/01/2021;R$ 2,5 milhões;Semente"],
      [
        ["2021-01-13", 1.2e9, "series_a"],
        ["2021-01-14", 2.5e6, "seed"],
      ],
    ],
    [
      "weeks",
      ["Company,Week,Raise,Round", "A,2021-W12,$1M,Seed", "B,2021-W13-3,$2M,Series A"],
      [
        ["2021-03-22", 1e6, "seed"],
        ["2021-03-31", 2e6, "series_a"],
      ],
    ],
  ])("%s", async (_, lines, expected) => {
    const made = await read(lines, { rates: "1", amount_currency: "USD" });
    expect([asked(made), made.refused, facts(made)]).toEqual([[], [], expected]);
  });

  test("pages of JSON, whose lists have names that say nothing", async () => {
    const item = (company: string) => ({ company, date: "2021-01-13", amount: "$1M" });
    const pages = [
      { page: 1, data: [item("A"), item("B")] },
      { page: 2, data: [item("C")] },
    ];
    const made = await read([JSON.stringify(pages)]);
    expect([asked(made), companies(made)]).toEqual([[], ["A", "B", "C"]]);
  });

  test("what one investor gave is not said to be the round", async () => {
    const made = await read(["Fund,Company,Date,Amount invested", "Blue,A,2021-01-13,$5M", "Red,A,2021-01-13,$6M"]);
    expect(investors(made)).toEqual(["Blue", "Red"]);
    const amount = made.suggestion!.columns.find(({ column }) => column === "Amount invested");
    expect(amount).toMatchObject({ sure: "likely", why: expect.stringContaining("what one investor gave") });
  });
});

describe("what looks right and is not", () => {
  const amounts = (made: Made) => ofType(made, "round").map(({ amount_usd }) => amount_usd);

  test("a part of what was raised is not its amount", async () => {
    const made = await read(["Company,Date,Debt raised,Total raised", "A,2021-01-13,$1M,$6M", "B,2021-01-14,$0,$3M"]);
    expect(amounts(made)).toEqual([6e6, 3e6]);
    expect(why(made, "Debt raised")).toBe("it is a part of what was raised");
  });

  test("one name in two countries is said", async () => {
    const made = await read(["Company,Country,Date,Amount", "Apollo,US,2021-01-13,$5M", "Apollo,India,2021-01-14,$6M"]);
    expect(made.suggestion!.notes.join()).toContain("Rows of 'Apollo' have different countries");
  });

  test("members around every field of an export say nothing", async () => {
    const rows = ["A", "B"].map((name, n) => ({
      id: `rec${n}`,
      createdTime: "2022-01-01T00:00:00.000Z",
      fields: { Company: name, Date: "2021-01-13", Amount: 5e6 },
    }));
    const made = await read([JSON.stringify({ records: rows, offset: "x" })]);
    expect([asked(made), companies(made)]).toEqual([[], ["A", "B"]]);
  });

  test("a round amount in francs", async () => {
    const made = await read(["Firma;Datum;Betrag", "A;13.01.2021;CHF 1'250'000.–", "B;14.01.2021;CHF 500'000.-"], {
      rates: "2",
    });
    expect(amounts(made)).toEqual([2_500_000, 1_000_000]);
  });
});

describe("a part of what was raised", () => {
  const amounts = (made: Made) => ofType(made, "round").map(({ amount_usd }) => amount_usd);

  test.each(["Grant amount", "Loan amount", "Debt raised"])(
    "%s is the amount where there is no other",
    async (name) => {
      const made = await read([`Company,Date,Type,${name}`, "A,2021-01-13,Grant,$1M", "B,2021-01-14,Grant,$2M"]);
      expect([asked(made), amounts(made)]).toEqual([[], [1e6, 2e6]]);
    },
  );

  test("it is not beside another one", async () => {
    const made = await read(["Company,Date,Grant amount,Amount", "A,2021-01-13,$1M,$3M", "B,2021-01-14,$2M,$4M"]);
    expect([asked(made), amounts(made)]).toEqual([[], [3e6, 4e6]]);
    expect(why(made, "Grant amount")).toBe("it is a part of what was raised");
  });
});

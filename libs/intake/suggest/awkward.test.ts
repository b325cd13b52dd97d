import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import {
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
      "Portuguese words",
      [
        "Nome da empresa;Data;Valor;Tipo de rodada",
        "Azul;13/01/2021;R$ 2,5 mi;Série A",
        "Sol;14/01/2021;R$ 800 mil;Semente",
      ],
      [
        ["2021-01-13", 2.5e6, "series_a"],
        ["2021-01-14", 8e5, "seed"],
      ],
    ],
    [
      "Polish",
      ["Spółka;Data;Kwota;Runda", "Gwiazda;13.01.2021;12 mln zł;Seria A", "Wisła;14.01.2021;500 tys. zł;Seed+"],
      [
        ["2021-01-13", 12e6, "series_a"],
        ["2021-01-14", 5e5, "seed"],
      ],
    ],
    [
      "Turkish",
      ["Şirket;Tarih;Tutar;Tur", "Yıldız;13.01.2021;12 milyon TL;Seri A", "Ay;14.01.2021;1,5 milyon TL;Tohum"],
      [
        ["2021-01-13", 12e6, "series_a"],
        ["2021-01-14", 1.5e6, "seed"],
      ],
    ],
    [
      "Italian",
      [
        "Azienda;Data;Importo;Round",
        "Stella;13 gennaio 2021;12 milioni di euro;Serie A",
        "Luna;14 febbraio 2021;1,5 mln €;Seed",
      ],
      [
        ["2021-01-13", 12e6, "series_a"],
        ["2021-02-14", 1.5e6, "seed"],
      ],
    ],
    [
      "Dutch",
      ["Bedrijf;Datum;Bedrag;Ronde", "Ster;13 mei 2021;€ 12 miljoen;Series A", "Maan;2 juni 2021;€ 500.000;Seed"],
      [
        ["2021-05-13", 12e6, "series_a"],
        ["2021-06-02", 5e5, "seed"],
      ],
    ],
    [
      "Korean, spoken of as investments",
      ["회사명,투자일,투자금액,투자단계", "가나,2021. 1. 13.,30억원,시리즈 A", "마바,2021. 2. 2.,5억원,시드"],
      [
        ["2021-01-13", 3e9, "series_a"],
        ["2021-02-02", 5e8, "seed"],
      ],
    ],
    [
      "traditional Chinese",
      [
        "公司名稱,國家,日期,金額（美元）,輪次",
        "藍鯨,台灣,2021-01-13,12000000,A輪",
        "雲海,香港,2021-01-14,500000,種子輪",
      ],
      [
        ["2021-01-13", 12e6, "series_a"],
        ["2021-01-14", 5e5, "seed"],
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
    const made = await byLines(lines, { rates: "1", amount_currency: "USD" });
    expect([questionsOf(made), made.refused, facts(made)]).toEqual([[], [], expected]);
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
});

describe("what looks right and is not", () => {
  const amounts = (made: Made) => ofType(made, "round").map(({ amount_usd }) => amount_usd);

  test("a part of what was raised is not its amount", async () => {
    const made = await byLines([
      "Company,Date,Debt raised,Total raised",
      "A,2021-01-13,$1M,$6M",
      "B,2021-01-14,$0,$3M",
    ]);
    expect(amounts(made)).toEqual([6e6, 3e6]);
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
    expect(amounts(made)).toEqual([2_500_000, 1_000_000]);
  });
});

describe("a part of what was raised", () => {
  const amounts = (made: Made) => ofType(made, "round").map(({ amount_usd }) => amount_usd);

  test.each(["Grant amount", "Loan amount", "Debt raised"])(
    "%s is the amount where there is no other",
    async (name) => {
      const made = await byLines([`Company,Date,Type,${name}`, "A,2021-01-13,Grant,$1M", "B,2021-01-14,Grant,$2M"]);
      expect([questionsOf(made), amounts(made)]).toEqual([[], [1e6, 2e6]]);
    },
  );

  test("it is not beside another one", async () => {
    const made = await byLines(["Company,Date,Grant amount,Amount", "A,2021-01-13,$1M,$3M", "B,2021-01-14,$2M,$4M"]);
    expect([questionsOf(made), amounts(made)]).toEqual([[], [3e6, 4e6]]);
    expect(whyOf(made, "Grant amount")).toBe("it is a part of what was raised");
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

describe("rows of other events are no rounds", () => {
  const days = (made: Made) => ofType(made, "round").map(({ announced_date: day }) => day);

  test("deals of all kinds", async () => {
    const made = await byLines([
      "Company,Date,Deal Type,Amount,Investors",
      "A,2020-01-13,Series A,$1M,Blue",
      "B,2020-01-14,M&A,$200M,Big Corp",
      "C,2020-01-15,Acquisition,,Huge Corp",
      "D,2020-01-16,Seed,$2M,Red",
    ]);
    expect([questionsOf(made), made.refused, days(made)]).toEqual([[], [], ["2020-01-13", "2020-01-16"]]);
    expect(namesOf(made, "investor")).toEqual(["Blue", "Red"]);
    expect(ofType(made, "round")).toMatchObject([{ deal_type: "series_a" }, { deal_type: "seed" }]);
    expect(made.suggestion!.notes).toContain(
      "Rows whose 'Deal Type' is 'M&A', 'Acquisition' are not rounds. They give only companies.",
    );
  });

  test("a nested list of events", async () => {
    const events = [
      { kind: "funding", date: "2020-01-13", amount_usd: 1_500_000 },
      { kind: "layoff", date: "2021-01-13", amount_usd: 50 },
    ];
    expect(days(await bySuggestion(JSON.stringify([{ company: "A", events }])))).toEqual(["2020-01-13"]);
  });

  test("acquisitions of which only the buyer's column says so", async () => {
    const made = await byLines([
      "Acquired Company,Acquired By,Acquisition Date,Acquisition Value",
      "Small,Big,2023-01-13,$120M",
    ]);
    expect([questionsOf(made), made.suggestion!.kind]).toEqual([[], "acquisitions"]);
  });

  test.each([
    ["Funding Date,Amount Raised,Acquired By", "2020-01-13,$1M,Big Corp"],
    ["Date,Amount,Exit Type", "2020-01-13,$1M,Acquisition"],
    ["Date,Round,Amount,Company Type", "2020-01-13,Seed,$1M,Acquired"],
  ])("a round of a company that was acquired later is one: %s", async (header, row) => {
    const made = await byLines([`Company,${header}`, `A,${row}`]);
    expect([questionsOf(made), days(made)]).toEqual([[], ["2020-01-13"]]);
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
    expect(ofType(made, "round").map(({ amount_usd }) => amount_usd)).toEqual([null, null, 1e6]);
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

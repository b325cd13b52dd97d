import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { bySuggestion, type Made, ofType } from "../../../tests/support/by-suggestion.ts";

/** The layouts of real files, with invented rows: what a suggestion makes of each, and how often it has to ask. */
const LAYOUTS: Record<string, { content: Buffer; answers?: Record<string, string>; expected: object }> = {
  "rounds of CrunchBase in 2013: MacRoman, lines that end in CR": {
    content: iconv.encode(
      [
        "company_permalink,company_name,company_category_code,company_country_code,company_state_code,company_region,company_city,funding_round_type,funded_at,funded_month,funded_quarter,funded_year,raised_amount_usd",
        "/company/cafe,Café Noir,news,USA,NY,New York,New York,series-a,2012-06-30,2012-06,2012-Q2,2012,1750000",
        "/company/n-plusn,#NAME?,software,USA,NY,New York,New York,angel,2012-08-29,2012-08,2012-Q3,2012,",
      ].join("\r"),
      "macroman",
    ),
    expected: {
      rounds: [
        ["Café Noir", "2012-06-30", 1_750_000, "series_a"],
        ["#NAME?", "2012-08-29", null, "angel"],
      ],
    },
  },
  "rounds in India: groups of two digits, a list of investors": {
    content: Buffer.from(
      [
        "Sr No,Date dd/mm/yyyy,Startup Name,Industry Vertical,SubVertical,City  Location,Investors Name,InvestmentnType,Amount in USD,Remarks",
        '1,09/01/2020,Kite,E-Tech,Tutors,Pune,"Blue, Red & Co",Seed Round,"20,00,00,000",',
        "2,13/01/2020,Bus,Transport,Buses,Goa,Green,Series C,undisclosed,",
      ].join("\n"),
    ),
    expected: {
      rounds: [
        ["Kite", "2020-01-09", 200_000_000, "seed_round"],
        ["Bus", "2020-01-13", null, "series_c"],
      ],
    },
  },
  "a row for each investor": {
    content: Buffer.from(
      [
        "company_permalink,company_name,company_category_code,investor_permalink,investor_name,funding_round_type,funded_at,raised_amount_usd",
        "/company/acme,Acme,software,/fund/blue,Blue Fund,series-a,2012-06-30,1750000",
        "/company/acme,Acme,software,/person/ann-lee,Ann Lee,series-a,2012-06-30,1750000",
      ].join("\n"),
    ),
    expected: { rounds: [["Acme", "2012-06-30", 1_750_000, "series_a"]], investors: ["Blue Fund", "Ann Lee"] },
  },
  "lead investors in one column, all in another": {
    content: Buffer.from(
      [
        "Organization Name,Transaction Name URL,Announced Date,Funding Type,Money Raised (in USD),Lead Investors,Investor Names",
        'Acme,https://example.com/round/acme-a,2020-03-04,Series A,"12,000,000",Blue,"Red & Co, Blue"',
        'Beta,https://example.com/round/beta-s,2020-03-25,Seed,—,,"Green, Ann Lee"',
      ].join("\n"),
    ),
    expected: {
      rounds: [
        ["Acme", "2020-03-04", 12_000_000, "series_a"],
        ["Beta", "2020-03-25", null, "seed"],
      ],
    },
  },
  "several currencies, with decimal commas": {
    content: Buffer.from(
      [
        "Company;HQ country;Date;Round;Amount;Currency;Investors",
        "Acme;Germany;05.03.2019;Series A;2,5 Mio;EUR;Blue",
        "Beta;United Kingdom;25.02.2021;Seed;750k;GBP;",
      ].join("\n"),
    ),
    answers: { rates: "EUR=1.5,GBP=2" },
    expected: {
      rounds: [
        ["Acme", "2019-03-05", 3_750_000, "series_a"],
        ["Beta", "2021-02-25", 1_500_000, "seed"],
      ],
    },
  },
  layoffs: {
    content: Buffer.from(
      "company,location,industry,total_laid_off,percentage_laid_off,date,stage,country,funds_raised_millions\n" +
        "Acme,Berlin,Retail,120,0.2,1/13/2023,Series B,Germany,210\nBeta,Paris,Food,,,1/4/2023,Seed,France,1.5\n",
    ),
    expected: { rounds: [], signals: ["layoffs 2023-01-13", "layoffs 2023-01-04"] },
  },
  acquisitions: {
    content: Buffer.from(
      "Parent Company,Acquisition Year,Acquisition Month,Acquired Company,Business,Country,Acquisition Price\n" +
        "Alpha,2012,Mar,Kite,Software,United States,$50000000\n",
    ),
    expected: { rounds: [], signals: ["acquired 2012-03-01", "acquisition_made 2012-03-01"] },
  },
  "nested rounds in JSON": {
    content: Buffer.from(
      JSON.stringify([
        {
          name: "Acme",
          rounds: [
            { date: "2020-01-13", type: "Seed", amount_usd: 2_500_000, investors: [{ name: "Blue" }] },
            { date: "2021-02-03", type: "Series A", amount_usd: null, investors: [] },
          ],
        },
      ]),
    ),
    expected: {
      rounds: [
        ["Acme", "2020-01-13", 2_500_000, "seed"],
        ["Acme", "2021-02-03", null, "series_a"],
      ],
      investors: ["Blue"],
    },
  },
  "a Chinese list in GBK": {
    content: iconv.encode(
      "时间,公司,地点,轮次,金额,投资方\n2016-09-10,蓝鲸科技,北京,A轮,2000万人民币,红杉树资本\n2016-09-09,小鹿出行,上海,天使轮,300万美元,青山资本\n",
      "gb18030",
    ),
    answers: { rates: "CNY=0.25" },
    expected: {
      rounds: [
        ["蓝鲸科技", "2016-09-10", 5_000_000, "series_a"],
        ["小鹿出行", "2016-09-09", 3_000_000, "angel"],
      ],
    },
  },
  "quarters in place of days": {
    content: Buffer.from("Startup,Quarter,Deal size ($m),Stage\nAcme,Q1 2021,12.5,Seed\nBeta,Q3 2021,210,Series A\n"),
    expected: {
      rounds: [
        ["Acme", "2021-01-01", 12_500_000, "seed"],
        ["Beta", "2021-07-01", 210_000_000, "series_a"],
      ],
    },
  },
  "a row for each investor in NDJSON": {
    content: Buffer.from(
      ["Blue", "Red"]
        .map((investor) =>
          JSON.stringify({
            company: { name: "Acme" },
            investor: { name: investor },
            round: { date: "2020-01-13", stage: "Seed", amountUsd: 500_000 },
          }),
        )
        .join("\n"),
    ),
    expected: { rounds: [["Acme", "2020-01-13", 500_000, "seed"]], investors: ["Blue", "Red"] },
  },
};

function shown(made: Made): object {
  const names = new Map(ofType(made, "company").map(({ id, name }) => [id, name]));
  return {
    rounds: ofType(made, "round").map(({ company_id, announced_date, amount_usd, deal_type }) => [
      names.get(company_id),
      announced_date,
      amount_usd,
      deal_type,
    ]),
    signals: ofType(made, "signal").map(({ key, detected_at }) => `${String(key)} ${String(detected_at)}`),
    investors: ofType(made, "investor").map(({ name }) => name),
  };
}

test.each(Object.entries(LAYOUTS))("%s", async (_, { content, answers, expected }) => {
  const made = await bySuggestion(content, answers);
  expect(made.suggestion!.questions).toEqual([]);
  expect(made.refused).toEqual([]);
  expect(shown(made)).toMatchObject(expected);
});

test("nine of the eleven layouts need at most one question", async () => {
  const counts = await Promise.all(
    Object.values(LAYOUTS).map(async ({ content }) => (await bySuggestion(content)).suggestion!.questions.length),
  );
  expect(counts.filter((count) => count <= 1).length).toBeGreaterThanOrEqual(9);
});

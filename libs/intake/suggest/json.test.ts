import { describe, expect, test } from "vitest";
import { bySuggestion, daysIn, ofType, questionsOf } from "../../../tests/support/by-suggestion.ts";

describe("JSON", () => {
  const nested = [
    {
      name: "Acme",
      hq: { city: "Berlin", country: "Germany" },
      funding_rounds: [
        {
          announced_on: "2020-01-13",
          type: "Seed",
          money_raised: { value: 2_500_000, currency: "USD" },
          investors: ["Blue Fund", "Green, Partners"],
        },
        { announced_on: "2021-02-03", type: "Series A", money_raised: null, investors: ["Red, Inc."] },
      ],
    },
    { name: "Beta", hq: { city: "Paris", country: "France" }, funding_rounds: [] },
  ];

  test("an array with nested rounds: a row for each", async () => {
    const read = await bySuggestion(JSON.stringify(nested));
    expect(questionsOf(read)).toEqual([]);
    expect(read.suggestion!.mapping).toMatchObject({ format: "json", for_each: "funding_rounds" });
    expect(read.refused).toEqual([]);
    expect(read.records.get("co-beta")).toMatchObject({ country: "FR", city: "Paris" });
    expect(read.records.get("rnd-acme-2020-01-13-1")).toMatchObject({
      amount_usd: 2_500_000,
      deal_type: "seed",
      investor_ids: ["inv-blue-fund", "inv-green-partners"],
    });
    expect(read.records.get("rnd-acme-2021-02-03-1")).toMatchObject({
      amount_usd: null,
      investor_ids: ["inv-red-inc"],
    });
  });

  test("lines, and one object around a list over several lines", async () => {
    const rows = [
      {
        companyName: "Acme",
        fundingDate: "2020-01-13T00:00:00.000Z",
        amountUsd: 2_500_000,
        investors: [{ name: "Blue", lead: true }],
      },
      { companyName: "Beta", fundingDate: "2020-02-13T00:00:00.000Z", amountUsd: null, investors: [] },
    ];
    for (const [text, path] of [
      [rows.map((row) => JSON.stringify(row)).join("\n"), undefined],
      [JSON.stringify({ meta: { total: 2 }, results: rows }, null, 1), "results"],
    ] as const) {
      const read = await bySuggestion(text);
      expect(read.suggestion!.mapping).toMatchObject({ format: "json", ...(path ? { for_each: path } : {}) });
      expect([questionsOf(read), read.refused]).toEqual([[], []]);
      expect(read.records.get("rnd-acme-2020-01-13-1")).toMatchObject({
        amount_usd: 2_500_000,
        investor_ids: ["inv-blue"],
      });
      expect(read.records.get("rnd-beta-2020-02-13-1")).toMatchObject({ amount_usd: null, investor_ids: [] });
    }
  });
});

describe("one object alone", () => {
  const round = { id: "R-77", type: "Series A", date: "2026-10-02", amount: { value: 7_500_000, currency: "USD" } };
  const investors = [{ name: "Elbe" }, { name: "Rhein" }];

  test.each([
    ["its investors", { company: { name: "Acme" }, round: { ...round, investors } }],
    [
      "other things",
      {
        company: { name: "Acme" },
        round: { ...round, investors: ["Elbe", "Rhein"] },
        tags: [{ tag: "x" }, { tag: "y" }],
      },
    ],
  ])(
    "an event around a list of %s is one row: the round has its id, so a corrected event replaces it",
    async (_of, event) => {
      const read = await bySuggestion(JSON.stringify(event));
      expect(read.suggestion!.mapping).not.toHaveProperty("for_each");
      expect(ofType(read, "round")).toEqual([
        expect.objectContaining({ id: "rnd-R-77", amount_usd: 7_500_000, investor_ids: ["inv-elbe", "inv-rhein"] }),
      ]);
    },
  );

  test("an object around a list of companies is none of them", async () => {
    const read = await bySuggestion(JSON.stringify({ companies: [{ name: "Acme" }, { name: "Beta" }] }));
    expect([...read.records.keys()]).toEqual(["co-acme", "co-beta"]);
  });
});

describe("of several lists in JSON, the one of rounds has the rows", () => {
  const round = (day: string, over = {}) => ({ date: day, type: "Seed", amount_usd: 5_000_000, ...over });
  const company = (name: string, rounds: object[], over = {}) => ({ name, country: "Germany", rounds, ...over });
  const lines = (...values: object[]) => values.map((value) => JSON.stringify(value)).join("\n");

  test("beside one of acquisitions, and a total of the company", async () => {
    const over = { total_funding_usd: 10_000_000, acquisitions: [{ name: "Tiny", date: "2022-01-01" }] };
    const read = await bySuggestion(
      lines(
        company("Acme", [round("2021-05-04"), round("2024-03-02")], over),
        company("Beta", [round("2024-03-01")], { ...over, acquisitions: [] }),
      ),
    );
    expect(questionsOf(read)).toEqual([]);
    expect(daysIn(read)).toEqual(["2021-05-04", "2024-03-02", "2024-03-01"]);
  });

  test("where few companies have several rounds", async () => {
    const single = Array.from({ length: 40 }, (_, n) => company(`Company ${n}`, [round("2021-05-04")]));
    const read = await bySuggestion(lines(...single, company("Acme", [round("2021-05-04"), round("2024-03-02")])));
    expect([daysIn(read).length, read.refused]).toEqual([42, []]);
  });

  test("beside the last round of each company", async () => {
    const last = { last_funding_date: "2024-03-02", last_funding_type: "Seed", last_funding_amount: 5_000_000 };
    const rounds = [round("2021-05-04", { investors: ["Blue"] }), round("2024-03-02", { investors: ["Red"] })];
    const read = await bySuggestion(lines(company("Acme", rounds, last), company("Beta", [round("2024-03-02")], last)));
    expect(daysIn(read)).toHaveLength(3);
  });

  test("beside one of layoffs, and one of open positions", async () => {
    const over = { layoffs: [{ date: "2023-01-01", count: 10 }], jobs: [{ position: "Cook", posted: "2023-01-02" }] };
    const read = await bySuggestion(
      lines(company("Acme", [round("2021-05-04")], over), company("Beta", [round("2024-03-01")], over)),
    );
    expect([questionsOf(read), daysIn(read)]).toEqual([[], ["2021-05-04", "2024-03-01"]]);
  });

  test("unless each row has a round, and a list of those before it", async () => {
    const read = await bySuggestion(
      lines({ company: "Acme", ...round("2024-03-01"), previous_rounds: [round("2021-05-04")] }),
      { date: "date" },
    );
    expect([questionsOf(read), daysIn(read)]).toEqual([[], ["2024-03-01"]]);
  });

  test("and rounds with a list of investors are the rows themselves", async () => {
    const rounds = ["Acme", "Beta"].map((name) => ({
      company: name,
      ...round("2024-03-02"),
      investors: [{ name: "Blue" }, { name: "Red" }],
    }));
    const read = await bySuggestion(lines(...rounds));
    expect(daysIn(read)).toHaveLength(2);
    expect(ofType(read, "round")[0]).toMatchObject({ investor_ids: ["inv-blue", "inv-red"] });
  });
});

test("one company alone, whose rounds are members of an object, is one record", async () => {
  const round = (date: string) => ({ date, amount_usd: 5_000_000, investors: ["Blue"] });
  const rounds = { seed: round("2021-05-04"), series_a: round("2022-05-04"), series_b: round("2024-03-02") };
  const read = await bySuggestion(JSON.stringify([{ company: "Acme", rounds }]));
  expect([questionsOf(read), ofType(read, "round").length]).toEqual([[], 3]);
});

import { expect, test } from "vitest";
import { byLines, bySuggestion, ofType, questionsOf } from "../../../tests/support/by-suggestion.ts";

test("codes of states are no countries, and no cities", async () => {
  const read = await bySuggestion(
    "Company,Date,Amount,Location\nA,2020-01-13,$5M,CA\nB,2020-01-14,$6M,NY\nC,2020-01-15,$6M,DE\n",
  );
  expect(read.suggestion!.columns.at(-1)).toMatchObject({ column: "Location", sure: "not used" });
});

test("a place is a city and a country, where the country is certain", async () => {
  const places = [
    ["Berlin, Germany", "Berlin", "DE"],
    ["San Francisco, California, United States, North America", "San Francisco", "US"],
    ["Austin, TX, USA", "Austin", "US"],
    ["Toronto, CA", "Toronto", null],
    ["Atlanta, Georgia", "Atlanta", null],
    ["Norway", null, "NO"],
  ] as const;
  for (const name of ["Organization Location", "Headquarters", "Location"]) {
    const rows = places.map(([place], n) => `Firm ${n},"${place}",2024-01-1${n + 3},5000000,Blue`);
    const read = await bySuggestion([`Company,${name},Date,Amount,Investors`, ...rows].join("\n"));
    for (const [n, [, city, country]] of places.entries())
      expect(read.records.get(`co-firm-${n}`)).toMatchObject({ city, country });
  }
});

test("a place beside a column of countries is a city alone", async () => {
  const { records } = await bySuggestion(
    'Company,Location,Country\nAcme,"Berlin, Germany",DE\nBeta,"Paris, France",FR\n',
  );
  expect(records.get("co-acme")).toMatchObject({ city: "Berlin", country: "DE" });
});

test("a country in brackets behind its city", async () => {
  const { records } = await bySuggestion("Company,Location\nAcme,Berlin (Germany)\nBeta,Paris (France)\n");
  expect(records.get("co-acme")).toMatchObject({ city: "Berlin", country: "DE" });
});

test("a column of places that has some countries is no column of countries", async () => {
  const { records } = await bySuggestion("Company,Location\nAcme,Berlin\nBeta,Georgia\nGamma,France\n");
  expect(records.get("co-beta")).toEqual({ type: "company", id: "co-beta", name: "Beta", city: "Georgia" });
});

test.each([
  ["Country", ["SD", "NC", "NA"], ["SD", "NC", "NA"]],
  ["Country", ["CA", "MA", "CO"], ["CA", "MA", "CO"]],
  ["HQ", ["CA", "MA", "FR"], ["CA", "MA", "FR"]],
])("codes in the column %s: %j", async (name, codes, countries) => {
  const read = await bySuggestion([`Company,${name}`, ...codes.map((code, n) => `A${n},${code}`)].join("\n"));
  expect([...read.records.values()].map(({ country }) => country)).toEqual(countries);
});

test("codes that states have, too, are asked about", async () => {
  const lines = ["Company,Location", "A,DE", "B,IN"];
  const asked = await byLines(lines);
  expect(asked.suggestion!.questions).toMatchObject([
    { id: "country", question: "Are the codes in 'Location', such as 'DE', 'IN', those of countries?" },
  ]);
  const countries = async (country: string) =>
    ofType(await byLines(lines, { country }), "company").map(({ country: code }) => code);
  expect([await countries("Location"), await countries("none")]).toEqual([
    ["DE", "IN"],
    [undefined, undefined],
  ]);
  expect(questionsOf(await byLines(["Company,Location,Country", "A,DE,US", "B,IN,US"]))).toEqual([]);
});

test.each([
  ["Berlin | Germany", "Berlin", "DE"],
  ["Berlin / Germany", "Berlin", "DE"],
  ["Berlin - Germany", "Berlin", "DE"],
  ["Germany, Bavaria, Munich", "Munich", "DE"],
  ["UK - London", "London", "GB"],
  ["Austin, TX", "Austin", undefined],
])("the city and the country of '%s'", async (place, city, country) => {
  const made = await byLines(["Company,Location", `A,"${place}"`]);
  expect(ofType(made, "company")).toEqual([
    { type: "company", id: "co-a", name: "A", city, ...(country === undefined ? {} : { country }) },
  ]);
});

test.each([
  ["Germany (DE)", "DE"],
  ["香港", "HK"],
  ["台灣", "TW"],
  ["США", "US"],
])("the country '%s'", async (name, code) => {
  expect(ofType(await byLines(["Company,Country", `A,${name}`]), "company")).toMatchObject([{ country: code }]);
});

test("a region that is a part of the world, or a state, is no city", async () => {
  const made = await byLines(["Company,Region,State", "A,EMEA,Texas", "B,North America,Ohio"]);
  expect(ofType(made, "company")).toEqual(
    ["A", "B"].map((name) => ({ type: "company", id: `co-${name.toLowerCase()}`, name })),
  );
});

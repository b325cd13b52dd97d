import { expect, test } from "vitest";
import { byLines, namesOf, ofType, questionsOf } from "../../../tests/support/by-suggestion.ts";

test("footnotes of a page of Wikipedia", async () => {
  const made = await byLines([
    "Company,City,Date,Amount,Investors",
    'Acme[1],Berlin[a],2020-01-13[2],$1M[2],"Blue, Red[3]"',
    "Beta,Paris,2020-01-14,$2M,Green",
  ]);
  expect([questionsOf(made), made.refused]).toEqual([[], []]);
  expect(ofType(made, "company")).toMatchObject([{ name: "Acme", city: "Berlin" }, { name: "Beta" }]);
  expect(ofType(made, "round")).toMatchObject([{ announced_date: "2020-01-13", amount_usd: 1e6 }, {}]);
  expect(namesOf(made, "investor")).toEqual(["Blue", "Red", "Green"]);
});

test("links of Markdown, and characters of HTML", async () => {
  const made = await byLines([
    "Company,Date,Amount,Investors",
    "[Acme](https://acme.example),2020-01-13,$1M,Blue",
    "Smith &amp; Co,2020-01-14,$2M,O&#39;Hara",
    'Beta,2020-01-15,$2M,"Founder&#8217;s Fund, Owner&rsquo;s &ndash; Fund"',
  ]);
  expect(namesOf(made, "company")).toEqual(["Acme", "Smith & Co", "Beta"]);
  expect(namesOf(made, "investor")).toEqual(["Blue", "O'Hara", "Founder’s Fund", "Owner’s – Fund"]);
});

test.each([
  ["Python", `"['Blue', ""Red's Fund""]"`, '"[]"'],
  ["JSON", `"[""Blue"",""Red's Fund""]"`, "[]"],
  ["PostgreSQL", `"{Blue,""Red's Fund""}"`, "{}"],
])("lists of %s", async (_, list, empty) => {
  const made = await byLines([
    "Company,Date,Amount,Investors",
    `A,2020-01-13,$1M,${list}`,
    `B,2020-01-14,$1M,${empty}`,
  ]);
  expect([questionsOf(made), namesOf(made, "investor")]).toEqual([[], ["Blue", "Red's Fund"]]);
});

test("a character of HTML that is not known separates no names", async () => {
  const made = await byLines(["Company,Date,Amount,Investors", 'A,2020-01-13,$1M,"Caf&eacute; Fund, Red"']);
  expect(namesOf(made, "investor")).toEqual(["Caf&eacute; Fund", "Red"]);
});

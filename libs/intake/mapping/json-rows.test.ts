import { expect, test } from "vitest";
import { ITEM_END, jsonRows, listPaths } from "./json-rows.ts";

const company = {
  name: "Acme",
  founded: 2012,
  address: { city: "Berlin", geo: null },
  tags: ["AI", "Data, big"],
  rounds: [
    { date: "2020-01-02", investors: [{ name: "Blue", lead: true }, { name: "Red" }] },
    { date: "2021-01-02", investors: [] },
  ],
};

test("members are columns, and lists are cells with several items", () => {
  expect([...jsonRows(company)]).toEqual([
    {
      name: "Acme",
      founded: "2012",
      "address.city": "Berlin",
      "address.geo": "",
      tags: `AI${ITEM_END}Data, big${ITEM_END}`,
      "rounds.date": `2020-01-02${ITEM_END}2021-01-02${ITEM_END}`,
      "rounds.investors.name": `Blue${ITEM_END}Red${ITEM_END}`,
      "rounds.investors.lead": `true${ITEM_END}`,
    },
  ]);
});

test("the items of a nested list are a row each, beside what is around them", () => {
  expect([...jsonRows(company, "rounds")]).toMatchObject([
    { name: "Acme", "rounds.date": "2020-01-02", "rounds.investors.name": `Blue${ITEM_END}Red${ITEM_END}` },
    { name: "Acme", "rounds.date": "2021-01-02" },
  ]);
  expect([...jsonRows({ data: [company, { name: "Beta" }] }, "data.rounds")]).toHaveLength(3);
  expect([...jsonRows({ name: "Beta", rounds: [] }, "rounds")]).toEqual([{ name: "Beta" }]);
});

test("the nested lists of objects", () => {
  expect([...new Set(listPaths(company))]).toEqual(["rounds", "rounds.investors"]);
});

test("rows are made one by one: a list beside many members takes no memory of both together", () => {
  const members = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`m${n}`, n]));
  const value = { ...members, rounds: Array.from({ length: 300_000 }, (_, n) => ({ n })) };
  const [first] = jsonRows(value, "rounds");
  expect(first).toMatchObject({ m0: "0", "rounds.n": "0" });
});

import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { parseMapping } from "../mapping/mapping.ts";
import type { SourceItem } from "./item.ts";
import { mappedReader } from "./mapped.ts";
import { valuesOf } from "./mapped-json.ts";
import { readSource } from "./source.ts";

const MAPPING = {
  format: "json",
  values: { name: { column: "name" }, amount: { column: "raised.value", as: "amount" } },
  records: [{ type: "company", fields: { id: "co-{name:key}", name: "{name}" } }],
};

async function read(text: string, mapping: object = {}): Promise<SourceItem[]> {
  const parsed = parseMapping({ ...MAPPING, ...mapping });
  const bytes = (async function* () {
    for (let at = 0; at < text.length; at += 7) yield Buffer.from(text.slice(at, at + 7));
  })();
  const items: SourceItem[] = [];
  const reader = mappedReader(parsed, { dealTypes: dealTypes(), today: "2026-01-01" });
  for await (const item of readSource({ bytes }, undefined, reader)) items.push(item);
  return items;
}

const shown = (items: SourceItem[]) =>
  items.map((item) =>
    item.ok
      ? item.values.map((value) => (value as { id: string }).id).join()
      : `${item.problems[0]!.field}: ${item.problems[0]!.reason}`,
  );

test("lines: a bad one is refused, and so is one with a value that can't be read", async () => {
  const items = await read('{"name":"Acme"}\n{"name":\n{"name":"Beta","raised":{"value":"much"}}\n{"name":"Gamma"}\n');
  expect(shown(items)).toEqual([
    "co-acme",
    expect.stringContaining("is not JSON"),
    "raised.value: 'much' is not a valid amount: it has no digits",
    "co-gamma",
  ]);
  expect(items[2]).toMatchObject({ location: { line: 3 }, raw: expect.stringContaining("much") });
});

test("an array, and an array that is cut off", async () => {
  expect(shown(await read('[{"name":"Acme"}, {"name":"Beta"}]'))).toEqual(["co-acme", "co-beta"]);
  expect(shown(await read('[{"name":"Acme"}, {"name":"Be'))).toEqual([
    "co-acme",
    ": the array is not closed; the rest was not read",
  ]);
});

test.each(["", "\n"])(
  "one object on a line longer than a record is one value, read in one piece and with %j behind it",
  async (end) => {
    const object = {
      rounds: Array.from({ length: 20_000 }, (_, at) => ({ name: `Acme ${at}`, note: "n".repeat(50) })),
    };
    const bytes = (async function* () {
      yield Buffer.from(JSON.stringify(object) + end);
    })();
    const items: SourceItem[] = [];
    for await (const item of valuesOf(bytes)) items.push(item);
    expect(items).toMatchObject([{ ok: true, values: [{ rounds: { length: 20_000 } }] }]);
  },
);

test("one object over several lines is one value, whose nested list gives the rows", async () => {
  const mapping = { for_each: "data", values: { name: { column: "data.name" } } };
  const text = JSON.stringify({ data: [{ name: "Acme" }, { name: "Beta" }] }, null, 2);
  expect(shown(await read(text, mapping))).toEqual(["co-acme,co-beta"]);
  expect(shown(await read(text.slice(0, -3), mapping))).toEqual([expect.stringContaining("is not JSON")]);
});

test("an object that gives too many cells is refused", async () => {
  const members = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`c${n}`, n]));
  const wide = { name: "Acme", ...members, rounds: Array.from({ length: 2100 }, () => ({})) };
  expect(shown(await read(JSON.stringify(wide), { for_each: "rounds" }))).toEqual([
    expect.stringContaining("gives more than 100,000 rows, or 2,000,000 cells"),
  ]);
});

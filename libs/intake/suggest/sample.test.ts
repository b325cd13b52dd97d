import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { encodingOf } from "./encoding.ts";
import { rowsAlong, sampleOf } from "./sample.ts";
import { areRecords, isTable } from "./suggested.ts";

const whole = (text: string) => ({ bytes: Buffer.from(text), isWhole: true });
const sampled = async (value: unknown) => rowsAlong(await sampleOf(whole(JSON.stringify(value))), undefined);
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, n]));
/** Far above what is looked at, and far below what a megabyte of such rows would be. */
const MANY = 20_000;

test.each([
  ["a wide row before empty ones", [members(1000), ...Array.from({ length: MANY }, () => ({}))]],
  ["empty rows alone", Array.from({ length: 5 * MANY }, () => ({}))],
  ["a new column in each row", Array.from({ length: 900 }, (_, n) => ({ [`c${n}`]: n }))],
])("of %s only as many rows are looked at as have some thousands of cells", async (_, rows) => {
  const { rows: looked, columns, isWhole } = await sampled(rows);
  expect(isWhole).toBe(false);
  expect(looked.length * Math.max(1, columns.length)).toBeLessThanOrEqual(32_000);
});

test("a table is whole where its file is, and no row was left out", async () => {
  const csv = (rows: number) => `Company,Date\n${"A,2021-01-13\n".repeat(rows)}`;
  const isWhole = async (rows: number, file = true) => (await sampleOf({ ...whole(csv(rows)), isWhole: file })).isWhole;
  expect([await isWhole(15_000), await isWhole(15_001), await isWhole(2, false)]).toEqual([true, false, false]);
  expect((await sampled([{ a: 1 }])).isWhole).toBe(true);
});

test("a column named as a member of every object is empty where a row lacks it", async () => {
  const { rows } = await sampled([{ name: "a" }, { name: "b", constructor: "x", toString: "y" }]);
  expect(rows).toEqual([
    { name: "a", constructor: "", toString: "" },
    { name: "b", constructor: "x", toString: "y" },
  ]);
});

test("JSON that is nested without an end, or very wide, is refused with a text", async () => {
  const nested = `{"a":\n${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  await expect(sampleOf(whole(nested))).rejects.toThrow("is nested deeper than 100 levels");
  const wide = await sampleOf(whole(`{\n"a":${JSON.stringify(members(50_000))}}`));
  expect(() => rowsAlong(wide, undefined)).toThrow("has 50,000 columns");
});

test("some broken characters do not make another encoding of UTF-8", () => {
  const broken = Buffer.concat([Buffer.from("Café\nMü"), Buffer.from([0xe9]), Buffer.from("ller\nÅsa\n")]);
  expect(encodingOf(broken)).toEqual({ name: "utf8", isGuess: true, others: [] });
});

test("the euro sign of ISO 8859-15 is no sign of another currency", () => {
  expect(encodingOf(iconv.encode("Company;Amount (€)\nCafé;5\n", "iso-8859-15")).name).toBe("iso-8859-15");
});

test("the encoding of one endless word is found by its beginning", () => {
  const since = performance.now();
  encodingOf(Buffer.alloc(4 * 1024 * 1024, 0xe4));
  expect(performance.now() - since).toBeLessThan(10_000);
});

test("a file without records that is no table says why; broken JSON is left to its reader", async () => {
  const isOne = (text: string) => isTable(whole(text));
  await expect(isOne("Rounds of 2021\nCompany,Date\nA,2021\nB,2021\n")).rejects.toThrow(
    "has 1 column in its first line",
  );
  expect([await isOne('{"a":\n'), await isOne("Company,Date\nA,2021\n")]).toEqual([false, true]);
});

test("a file has records where most of its values have a type and an id", async () => {
  const record = { type: "company", id: "c1", name: "Acme" };
  const other = { type: "company", name: "Acme" };
  const isOf = async (values: unknown[]) => areRecords(await sampleOf(whole(JSON.stringify(values))));
  expect([await isOf([record, record, other]), await isOf([record, other]), await isOf([other])]).toEqual([
    true,
    false,
    false,
  ]);
});

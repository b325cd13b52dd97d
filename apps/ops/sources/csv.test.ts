import { expect, test } from "vitest";
import { parseMapping } from "../mapping/mapping.ts";
import { csvReader } from "./csv.ts";
import type { SourceItem } from "./item.ts";
import { readSource } from "./source.ts";

const MAPPING = {
  values: { name: { column: "name" }, amount: { column: "amount", as: "amount" } },
  records: [{ type: "company", fields: { id: "{name}", amount: "{amount}" } }],
};

async function read(content: string | Buffer, mapping: object = {}): Promise<SourceItem[]> {
  const bytes = (async function* () {
    yield Buffer.from(content);
  })();
  const items: SourceItem[] = [];
  for await (const item of readSource({ bytes }, "csv", csvReader(parseMapping({ ...MAPPING, ...mapping }))))
    items.push(item);
  return items;
}

const ids = (items: SourceItem[]) =>
  items.flatMap((item) => (item.ok ? item.values.map((value) => (value as { id: string }).id) : []));

test.each([["\n"], ["\r\n"], ["\r"]])(
  "reads lines that end in %j, quoted fields and a byte order mark",
  async (end) => {
    const items = await read(`\ufeffname,amount${end}"a, b",1${end}c,2${end}`);
    expect(ids(items)).toEqual(["a, b", "c"]);
    expect(items.map((item) => item.place)).toEqual([{ line: 2 }, { line: 3 }]);
  },
);

test("reads the bytes by the mapping's encoding", async () => {
  const macRoman = Buffer.concat([Buffer.from("name,amount\rSoci"), Buffer.from([0x8e]), Buffer.from(",5")]);
  expect(ids(await read(macRoman, { encoding: "macroman", line_ends: "cr" }))).toEqual(["Soci\u00e9"]);
});

test("a row with a wrong value or number of columns is refused with its line, and the next is read", async () => {
  const items = await read("name,amount\na,lots\nb\nc,3\n");
  expect(
    items.map((item) =>
      item.ok ? "good" : `${JSON.stringify(item.place)} ${item.problems[0]!.field}: ${item.problems[0]!.reason}`,
    ),
  ).toEqual([`{"line":2} amount: 'lots' is no amount`, `{"line":3} : has 1 columns, expected 2`, "good"]);
});

test("a file without a column that the mapping names is refused, and the columns it has are named", async () => {
  const items = await read("nom,amount\na,1\n");
  expect(items).toMatchObject([
    {
      ok: false,
      problems: [{ reason: "has no column 'name', which the mapping names. Its columns: 'nom', 'amount'" }],
    },
  ]);
});

test("an open quote ends the reading with the line", async () => {
  const items = await read('name,amount\na,1\n"b,2\n');
  expect(ids(items)).toEqual(["a"]);
  expect(items.at(-1)).toMatchObject({
    ok: false,
    problems: [{ reason: expect.stringMatching(/^line 3: is no CSV: /) }],
  });
});

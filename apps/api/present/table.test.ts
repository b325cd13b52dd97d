import { expect, test } from "vitest";
import { csv, joined, ndjson } from "./table.ts";

test("CSV has a header row, CRLF line ends and quotes where they are needed", () => {
  const rows = [
    { id: "a", name: 'Kleiner, "KP" Perkins', amount: 12.5 },
    { id: "b", name: "two\nlines", amount: null },
  ];
  expect(csv(["id", "name", "amount"], rows)).toBe(
    'id,name,amount\r\na,"Kleiner, ""KP"" Perkins",12.5\r\nb,"two\nlines",\r\n',
  );
});

test("CSV without rows is its header", () => {
  expect(csv(["id", "name"], [])).toBe("id,name\r\n");
});

test.each([
  "=1+1",
  "+49 30",
  "-5 %",
  "@name",
  "\tx",
  "\rx",
  "\nx",
  "＝1",
  "＋1",
  "－1",
  "＠x",
  "\n=1",
  " =1",
  "\u200b=1",
  "\ufeff=1",
  "\u00a0\u2060＝1",
])("a cell that begins like %j is not a formula", (text) => {
  const cell = csv(["name"], [{ name: text }])
    .split("\r\n")
    .slice(1)
    .join("\r\n");
  expect(cell.replace(/^"/, "").startsWith("'")).toBe(true);
});

test("numbers stay numbers", () => {
  expect(csv(["n"], [{ n: -5 }])).toBe("n\r\n-5\r\n");
  expect(csv(["n"], [{ n: 160_372_455.25 }])).toBe("n\r\n160372455.25\r\n");
});

test("texts that have the sign further inside stay as they are", () => {
  expect(csv(["n"], [{ n: "a=b" }, { n: "x-y" }])).toBe("n\r\na=b\r\nx-y\r\n");
});

test("NDJSON is one object a line, each ended", () => {
  expect(ndjson(['{"a":"x\\ny"}', '{"a":1}'])).toBe('{"a":"x\\ny"}\n{"a":1}\n');
  expect(ndjson([])).toBe("");
});

test("no values are null, not an empty text", () => {
  expect(joined([])).toBeNull();
  expect(joined(["a", "b"])).toBe("a; b");
});

test("texts as they are stored have no apostrophe before them", () => {
  expect(csv(["name"], [{ name: "=1+1" }, { name: "'=1+1" }], { rawText: true })).toBe("name\r\n=1+1\r\n'=1+1\r\n");
});

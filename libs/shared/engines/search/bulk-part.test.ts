import { expect, test } from "vitest";
import { type BulkItem, bulkParts, bytesOf } from "./bulk-part.ts";

const item = (id: string, name: string): BulkItem => ({ index: "companies", id, document: { name } });
const linesOf = (id: string, name: string) =>
  `{"index":{"_index":"companies","_id":"${id}"}}\n${JSON.stringify({ name })}\n`;

test("a part holds the lines of its items, and those of some of them", () => {
  const names = ["Ökostrom 東京 🚀", "plain", "\ud800 alone"];
  const removal: BulkItem = {
    index: "companies",
    id: "r",
    document: null,
    unchangedSince: { seqNo: 3, primaryTerm: 1 },
  };
  const [part, ...others] = bulkParts([...names.map((name, n) => item(`${n}`, name)), removal]);
  const lines = [
    ...names.map((name, n) => linesOf(`${n}`, name)),
    '{"delete":{"_index":"companies","_id":"r","if_seq_no":3,"if_primary_term":1}}\n',
  ];
  expect(others).toEqual([]);
  expect(part!.bytes.toString()).toBe(lines.join(""));
  expect(bytesOf(part!, [0, 3]).toString()).toBe(lines[0]! + lines[3]!);
  expect(bytesOf(part!, [2]).toString()).toBe(lines[2]);
});

test("parts are full at three megabytes, and an item that is larger has room", () => {
  const sizes = [10, 1_000_000, 2_500_000, 20, 9_000_000, 30];
  const parts = bulkParts(sizes.map((size, n) => item(`${n}`, "é".repeat(size / 2))));
  expect(parts.map(({ ends }) => ends.length)).toEqual([3, 2, 1]);
  const sent = parts.map(({ bytes }) => bytes.toString()).join("");
  expect(sent).toBe(sizes.map((size, n) => linesOf(`${n}`, "é".repeat(size / 2))).join(""));
});

test("no items give no parts", () => {
  expect(bulkParts([])).toEqual([]);
});

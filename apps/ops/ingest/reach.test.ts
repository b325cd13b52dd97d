import { expect, test } from "vitest";
import { createReach, unfinishedText } from "./reach.ts";

function reachOf(files: string[]) {
  const counts = { added: 0, enqueued: 0 };
  return { counts, reach: createReach(files, () => counts) };
}

test("names where to go on in a file, and the files after it", () => {
  const { counts, reach } = reachOf(["a", "b", "c"]);
  expect(unfinishedText(reach.unfinished())).toBe("a, b, c");
  reach.at({ line: 7 });
  reach.fileRead();
  reach.at({ line: 12 });
  counts.added = counts.enqueued = 19;
  expect(reach.unfinished()).toEqual([{ file: "b", after: { line: 12 } }, { file: "c" }]);
  expect(unfinishedText(reach.unfinished())).toBe("b after line 12, c");
  reach.fileRead();
  reach.fileRead();
  expect(reach.unfinished()).toEqual([]);
});

test("a file of which a record waits to be enqueued is named whole, even when it has been read", () => {
  const { counts, reach } = reachOf(["a", "b", "c"]);
  counts.added = 10;
  reach.fileRead();
  counts.added = 20;
  reach.fileRead();
  reach.at({ element: 3 });
  counts.enqueued = 10;
  expect(reach.unfinished()).toEqual([{ file: "b" }, { file: "c" }]);
});

test("a long list is cut", () => {
  const { reach } = reachOf(Array.from({ length: 300 }, (_, i) => `f${i}`));
  expect(unfinishedText(reach.unfinished())).toMatch(/^f0, f1, .*, f19, and the 280 files given after them$/);
});

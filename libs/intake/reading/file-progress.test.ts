import { expect, test } from "vitest";
import { createFileProgress, unfinishedText } from "./file-progress.ts";

function fileProgressOf(names: string[]) {
  const counts = { added: 0, enqueued: 0 };
  return {
    counts,
    fileProgress: createFileProgress(
      names.map((name) => ({ file: name.toUpperCase(), name })),
      () => counts,
    ),
  };
}

test("the progress names where to continue in a file, and the files after it", () => {
  const { counts, fileProgress } = fileProgressOf(["a", "b", "c"]);
  expect(unfinishedText(fileProgress.unfinished())).toBe("a, b, c");
  fileProgress.at({ line: 7 });
  fileProgress.fileRead();
  fileProgress.at({ line: 12 });
  counts.added = counts.enqueued = 19;
  expect(fileProgress.last()).toEqual({ file: "B", location: { line: 12 } });
  expect(fileProgress.unfinished()).toEqual([{ file: "b", after: { line: 12 } }, { file: "c" }]);
  expect(unfinishedText(fileProgress.unfinished())).toBe("b after line 12, c");
  fileProgress.fileRead();
  fileProgress.fileRead();
  expect(fileProgress.unfinished()).toEqual([]);
});

test("a file of which a record waits to be enqueued is named whole, even when it has been read", () => {
  const { counts, fileProgress } = fileProgressOf(["a", "b", "c"]);
  counts.added = 10;
  fileProgress.fileRead();
  counts.added = 20;
  fileProgress.fileRead();
  fileProgress.at({ element: 3 });
  counts.enqueued = 10;
  expect(fileProgress.unfinished()).toEqual([{ file: "b" }, { file: "c" }]);
});

test("a long list is cut", () => {
  const { fileProgress } = fileProgressOf(Array.from({ length: 300 }, (_, i) => `f${i}`));
  expect(unfinishedText(fileProgress.unfinished())).toMatch(/^f0, f1, .*, f19, and the 280 files given after them$/);
});

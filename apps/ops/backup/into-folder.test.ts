import { expect, test } from "vitest";
import { backupName, outdated } from "./into-folder.ts";

const at = (day: number) => backupName("tranche", new Date(Date.UTC(2026, 10, day, 2, 15)));

test("a backup is named after the namespace and the time", () => {
  expect(at(29)).toBe("tranche-20261129T021500Z.ndjson.gz");
});

test("all but the newest backups of the namespace are outdated, and nothing else", () => {
  const others = [
    "tranche-20200101T000000Z.ndjson",
    "tranche-by-hand.ndjson.gz",
    backupName("tranche-staging", new Date(0)),
    ".tranche-20200101T000000Z.ndjson.gz.0a1b2c3d.partial",
  ];
  expect(outdated([at(4), ...others, at(1), at(3), at(2)], "tranche", 2)).toEqual([at(1), at(2)]);
  expect(outdated([at(1), at(2)], "tranche", 2)).toEqual([]);
  expect(outdated([], "tranche", 1)).toEqual([]);
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keptPrivate, readPrivate, writePrivate } from "./private-file.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tranche-private-"));
  file = join(folder, "secret");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a secret is made once, for its owner alone, and leaves no other file", () => {
  expect(keptPrivate(file, () => "first")).toBe("first");
  expect(keptPrivate(file, () => "second")).toBe("first");
  expect(readFileSync(file, "utf8")).toBe("first\n");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["secret"]);
});

test.each(["", "\n"])("a file with %j, which a kill can leave, counts as missing", (left) => {
  writeFileSync(file, left, { mode: 0o644 });
  expect(readPrivate(file)).toBeUndefined();
  expect(keptPrivate(file, () => "new")).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("of two that make a secret at once, both have that of the first", () => {
  const late = keptPrivate(file, () => {
    expect(keptPrivate(file, () => "first")).toBe("first");
    return "late";
  });
  expect(late).toBe("first");
});

test("a secret is replaced as a whole", () => {
  writeFileSync(file, "old\n", { mode: 0o644 });
  writePrivate(file, "new");
  expect(readPrivate(file)).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["secret"]);
});

test("an error other than a missing file is passed on", () => {
  expect(() => readPrivate(folder)).toThrow("EISDIR");
});

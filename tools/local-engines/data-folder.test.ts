import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDataFolder, openDataFolder } from "./data-folder.ts";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "tranche-project-"));
  chmodSync(project, 0o755);
});
afterEach(() => rmSync(project, { recursive: true }));

test("nobody lists the folder of a fresh clone, and the engines' user enters what is in it", () => {
  const home = findDataFolder({}, project, () => {});
  expect(statSync(home).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
  const inner = join(home, "bench-50000");
  mkdirSync(inner, { mode: 0o700 });
  expect(openDataFolder(inner)).toBeUndefined();
});

test.each(["/proc/tranche", "/dev/null/tranche"])("a home that cannot be made, %s, ends with a text", (home) => {
  expect(() => findDataFolder({ TRANCHE_HOME: home }, project, () => {})).toThrow(
    /^Cannot write to \S+ \(E\w+\)\. Set TRANCHE_HOME to a folder of yours\.$/,
  );
});

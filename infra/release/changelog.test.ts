import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nextVersion, notesOf, released } from "./changelog.ts";

const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
const example = "# Changelog\n\n## [Unreleased]\n\n### Upgrading\n\n- Nothing.\n\n## [0.1.0] - 2026-01-02\n\nFirst.\n";

test("a release takes what is unreleased, and leaves an empty heading for the next one", () => {
  const text = released(example, "0.2.0", "2026-02-03");
  expect(notesOf(text, "## [0.2.0]")).toBe("### Upgrading\n\n- Nothing.");
  expect(notesOf(text, "## [0.1.0]")).toBe("First.");
  expect(notesOf(text, "## [Unreleased]")).toBe("");
  expect(notesOf(text, "## [0.3.0]")).toBeUndefined();
  expect(() => released(text, "0.3.0", "2026-02-03")).toThrow("CHANGELOG.md has nothing under '## [Unreleased]'");
});

test("a release without upgrade notes is refused", () => {
  expect(() => released(example.replace("Upgrading", "Fixed"), "0.2.0", "2026-02-03")).toThrow("### Upgrading");
});

test.each([
  ["major", "1.0.0"],
  ["minor", "0.3.0"],
  ["patch", "0.2.8"],
] as const)("the %s version after 0.2.7 is %s", (step, next) => {
  expect(nextVersion("0.2.7", step)).toBe(next);
});

test("the changelog of this project has what a release needs", () => {
  expect(notesOf(changelog, "## [Unreleased]")).toBeDefined();
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERRORS } from "../apps/api/errors/catalogue.ts";
import { withErrors } from "./errors-page.ts";

const page = readFileSync(new URL("./guides/errors.md", import.meta.url), "utf8");

test("docs/guides/errors.md has the errors as they are: `npm run docs` brings it up to date", () => {
  expect(page).toBe(withErrors(page));
});

test("every code is a heading of its own, which `doc_url` leads to", () => {
  const headings = page.split("\n").filter((line) => line.startsWith("### "));
  expect(headings).toEqual(expect.arrayContaining(Object.keys(ERRORS).map((code) => `### ${code}`)));
});

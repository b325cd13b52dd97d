import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseRecord } from "@tranche/shared/domain/records/parse";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import { CATALOGUE } from "@tranche/shared/domain/signals/catalogue";
import { settingsMarkdown } from "./settings-page.ts";
import { withCatalogueTable } from "./signals-page.ts";

const page = readFileSync(new URL("./signals.md", import.meta.url), "utf8");
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf("\n")), text.split(/^## /m)[0]!]),
);

describe("docs/signals.md", () => {
  test("has the catalogue as it is: `npm run docs` brings it up to date", () => {
    expect(page).toBe(withCatalogueTable(page));
  });

  test("explains each key, and no other", () => {
    expect([...sections.keys()].toSorted()).toEqual(CATALOGUE.map((row) => row.key));
  });

  test.each(CATALOGUE)("says of $key what the catalogue says, with an example", (row) => {
    const { key, polarity, weight, halfLifeDays, lifeDays, source } = row;
    const text = sections.get(key)!;
    const fades = halfLifeDays === null ? "no half-life" : `half-life ${halfLifeDays} days`;
    const lives = lifeDays === null ? "live while true" : `life ${lifeDays} days`;
    expect(text).toContain(`Weight ${polarity === "negative" ? "−" : ""}${weight}, ${fades}, ${lives}.`);
    const records = [...text.matchAll(/```ndjson\n([^`]*)```/g)].flatMap(([, lines]) => lines!.trim().split("\n"));
    for (const line of records) {
      expect(parseRecord(JSON.parse(line), { dealTypes: readDealTypes(undefined), today: "2013-10-31" })).toMatchObject(
        {
          ok: true,
          record: source === "ingested" ? { type: "signal", body: { key } } : {},
        },
      );
    }
    if (records.length === 0) expect(text).toMatch(new RegExp(`GET /api/v1/[^]*"key": "${key}"`));
  });
});

test("docs/settings.md has the settings as they are: `npm run docs` brings it up to date", () => {
  expect(readFileSync(new URL("../docs/settings.md", import.meta.url), "utf8")).toBe(settingsMarkdown());
});

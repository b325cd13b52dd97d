import { readFileSync } from "node:fs";
import { LISTS } from "@tranche/shared/accounts/saved-search";
import { describe, expect, test } from "vitest";
import { type ApiDocument, listFields } from "./list-fields.ts";

const document = JSON.parse(
  readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"),
) as ApiDocument;
const fields = listFields(document);
const field = (list: (typeof LISTS)[number], name: string) => fields[list].find((one) => one.name === name);

describe("the fields of the lists", () => {
  test("are the parameters of the API's description, in its order", () => {
    for (const list of LISTS) {
      const parameters = document.paths[`/api/v1/${list}`]!.get!.parameters!.filter((one) => one.in === "query");
      expect(fields[list].map((one) => one.name)).toEqual(parameters.map((one) => one.name));
    }
  });

  test("have a kind, words of closed vocabularies, an example and a default", () => {
    expect(field("funding", "country")).toEqual({
      name: "country",
      kind: "list",
      description: "Countries of the company: ISO 3166-1 alpha-2, alpha-3 or English name, in any case. Any of them.",
      example: "US,Germany",
      excludes: true,
    });
    expect(field("funding", "from")?.kind).toBe("date");
    expect(field("funding", "min_amount_usd")?.kind).toBe("number");
    expect(field("companies", "min_headcount")?.kind).toBe("number");
    expect(field("signals", "max_founded_year")?.kind).toBe("year");
    expect(field("funding", "disclosed")?.kind).toBe("flag");
    expect(field("companies", "q")?.kind).toBe("text");
    expect(field("funding", "deal_types")?.choices).toContain("series_a");
    expect(field("signals", "signal")?.choices).toContain("just_raised");
    expect(field("signals", "signal_match")).toMatchObject({
      kind: "choice",
      choices: ["any", "all"],
      fallback: "any",
    });
    expect(field("investors", "sort")).toMatchObject({ kind: "choice", fallback: "round_count_desc" });
  });

  test("have no leftovers of example, default and exclusion in their text", () => {
    for (const list of LISTS) {
      for (const { description } of fields[list]) expect(description).not.toMatch(/Example:|Default:|excludes it/);
    }
  });

  test("a document without a list is refused", () => {
    expect(() => listFields({ paths: {}, components: { schemas: {} } })).toThrow("no list of funding");
  });
});

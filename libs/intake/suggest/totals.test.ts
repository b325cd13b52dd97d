import { describe, expect, test } from "vitest";
import { byLines, namesOf } from "../../../tests/support/by-suggestion.ts";

describe("rows that sum up others are left out", () => {
  test.each(["Total", "Totals:", "Grand Total", "Summe", "Gesamtsumme", "Total général", "合计"])(
    "%s",
    async (name) => {
      const made = await byLines(["Company,Year,Amount", "Acme,2021,$1M", "Beta,2021,$2M", `${name},2021,$3M`]);
      expect([namesOf(made, "company"), made.refused]).toEqual([["Acme", "Beta"], []]);
      expect(made.suggestion!.notes).toEqual([`Rows named '${name}' are totals, and are left out.`]);
    },
  );

  test("each of several", async () => {
    const made = await byLines([
      "Company,Year,Amount",
      "Acme,2021,$1M",
      "Beta,2021,$2M",
      "Subtotal,2021,$3M",
      "Gamma,2021,$4M",
      "Subtotal,2021,$4M",
      "Grand Total,2021,$7M",
      "Total,2021,$7M",
    ]);
    expect([namesOf(made, "company"), made.refused]).toEqual([["Acme", "Beta", "Gamma"], []]);
    expect(made.suggestion!.notes).toEqual([
      "Rows named 'Subtotal', 'Grand Total', 'Total' are totals, and are left out.",
    ]);
  });

  test("a company with such a name is none", async () => {
    const made = await byLines(["Company,Year,Amount", "Total,2021,$1M", "Beta,2021,$2M"]);
    expect(namesOf(made, "company")).toEqual(["Total", "Beta"]);
    const twice = await byLines(["Company,Year,Amount", "Total,2021,$1M", "Beta,2021,$2M", "Total,2022,$3M"]);
    expect(namesOf(twice, "company")).toEqual(["Total", "Beta"]);
  });

  test("the last row that is looked at is not the last one of a longer file", async () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => `C${n},2021-01-13,$1M`);
    rows[9_999] = "Total,2021-01-13,$1M";
    const made = await byLines(["Company,Date,Amount", ...rows, "Beta,2021-01-13,$2M"]);
    expect(made.suggestion!.sample.rows.at(-1)!["Company"]).toBe("Total");
    expect(made.suggestion!.mapping).not.toHaveProperty("skip");
  });
});

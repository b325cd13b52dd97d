import { describe, expect, test } from "vitest";
import { bySuggestion, type Made, ofType } from "./by-suggestion.ts";
import type { Answers } from "./given.ts";

/** Tables that are easily read wrongly without a word. */
const read = (lines: readonly string[], answers: Answers = {}) =>
  bySuggestion(Buffer.from(`${lines.join("\n")}\n`), answers);
const asked = ({ suggestion }: Made) => suggestion!.questions.map(({ id }) => id);
const companies = (made: Made) => ofType(made, "company").map(({ name }) => name);
const investors = (made: Made) => ofType(made, "investor").map(({ name }) => name);
const why = ({ suggestion }: Made, column: string) => suggestion!.columns.find((each) => each.column === column)!.why;

describe("rows that sum up others are left out", () => {
  test.each(["Total", "Totals:", "Grand Total", "Summe", "Gesamtsumme", "Total général", "合计"])(
    "%s",
    async (name) => {
      const made = await read(["Company,Year,Amount", "Acme,2021,$1M", "Beta,2021,$2M", `${name},2021,$3M`]);
      expect([companies(made), made.refused]).toEqual([["Acme", "Beta"], []]);
      expect(made.suggestion!.notes).toEqual([`Rows of '${name}' sum up others, and are left out.`]);
    },
  );

  test("a company with such a name is none", async () => {
    const made = await read(["Company,Year,Amount", "Total,2021,$1M", "Beta,2021,$2M"]);
    expect(companies(made)).toEqual(["Total", "Beta"]);
  });
});

describe("lists of investors", () => {
  const rows = ["Company,Date,Amount,Investors", '"A",2021-01-13,$1M,"Alpha (lead), Beta; Gamma & Co"'];

  test("two marks that could separate are asked about, and marks of leads taken off", async () => {
    const made = await read([...rows, 'B,2021-01-14,$2M,"Beta (Lead Investor), Delta, Inc."']);
    expect(asked(made)).toEqual(["list_separator"]);
    expect(why(made, "Investors")).toContain("marks such as '(lead)' are taken off");
    const split = await read([...rows, 'B,2021-01-14,$2M,"Beta (Lead Investor), Delta, Inc."'], {
      list_separator: "split",
    });
    expect([asked(split), investors(split)]).toEqual([[], ["Alpha", "Beta", "Gamma & Co", "Delta, Inc."]]);
    const kept = await read(rows, { list_separator: "keep" });
    expect([asked(kept), investors(kept)]).toEqual([[], ["Alpha, Beta", "Gamma & Co"]]);
  });

  test("the word before the last one is asked about", async () => {
    const list = ["Company,Date,Amount,Investors", 'A,2021-01-13,$1M,"Alpha, Beta and Gamma"'];
    expect(asked(await read(list))).toEqual(["list_separator"]);
    expect(investors(await read(list, { list_separator: "split" }))).toEqual(["Alpha", "Beta", "Gamma"]);
  });

  test("others without a name are nobody", async () => {
    const lists = [
      '"Alpha, and 3 others"',
      '"Beta, et al."',
      '"Gamma, undisclosed investors"',
      '"Delta, 2 more"',
      "\\N",
    ];
    const made = await read([
      "Company,Date,Amount,Investors",
      ...lists.map((list, n) => `A${n},2021-01-13,$1M,${list}`),
    ]);
    expect([asked(made), investors(made)]).toEqual([[], ["Alpha", "Beta", "Gamma", "Delta"]]);
  });

  test("sentences name nobody, and that is said", async () => {
    const made = await read([
      "Company,Date,Amount,Investors",
      'A,2021-01-13,$1M,"Led by Alpha with participation from Beta and Gamma"',
      'B,2021-01-14,$2M,"Delta"',
    ]);
    expect([asked(made), investors(made)]).toEqual([[], ["Delta"]]);
    expect(why(made, "Investors")).toContain("'Led by Alpha with participation from Beta and Gamma', name nobody");
  });
});

import { describe, expect, test } from "vitest";
import { byLines, bySuggestion, namesOf, questionsOf, whyOf } from "../../../tests/support/by-suggestion.ts";

describe("lists of investors", () => {
  const rows = ["Company,Date,Amount,Investors", '"A",2021-01-13,$1M,"Alpha (lead), Beta; Gamma & Co"'];

  test("two marks that could separate are asked about, and marks of leads taken off", async () => {
    const made = await byLines([...rows, 'B,2021-01-14,$2M,"Beta (Lead Investor), Delta, Inc."']);
    expect(questionsOf(made)).toEqual(["list_separator"]);
    expect(whyOf(made, "Investors")).toContain("marks such as '(lead)' are taken off");
    const split = await byLines([...rows, 'B,2021-01-14,$2M,"Beta (Lead Investor), Delta, Inc."'], {
      list_separator: "split",
    });
    expect([questionsOf(split), namesOf(split, "investor")]).toEqual([
      [],
      ["Alpha", "Beta", "Gamma & Co", "Delta, Inc."],
    ]);
    const kept = await byLines(rows, { list_separator: "keep" });
    expect([questionsOf(kept), namesOf(kept, "investor")]).toEqual([[], ["Alpha, Beta", "Gamma & Co"]]);
  });

  test("the word before the last one is asked about", async () => {
    const list = ["Company,Date,Amount,Investors", 'A,2021-01-13,$1M,"Alpha, Beta and Gamma"'];
    expect(questionsOf(await byLines(list))).toEqual(["list_separator"]);
    expect(namesOf(await byLines(list, { list_separator: "split" }), "investor")).toEqual(["Alpha", "Beta", "Gamma"]);
  });

  test("others without a name are nobody", async () => {
    const lists = [
      '"Alpha, and 3 others"',
      '"Beta, et al."',
      '"Gamma, undisclosed investors"',
      '"Delta, 2 more"',
      "\\N",
    ];
    const made = await byLines([
      "Company,Date,Amount,Investors",
      ...lists.map((list, n) => `A${n},2021-01-13,$1M,${list}`),
    ]);
    expect([questionsOf(made), namesOf(made, "investor")]).toEqual([[], ["Alpha", "Beta", "Gamma", "Delta"]]);
  });

  test("sentences name nobody, and that is said", async () => {
    const made = await byLines([
      "Company,Date,Amount,Investors",
      'A,2021-01-13,$1M,"Led by Alpha with participation from Beta and Gamma"',
      'B,2021-01-14,$2M,"Delta"',
    ]);
    expect([questionsOf(made), namesOf(made, "investor")]).toEqual([[], ["Delta"]]);
    expect(whyOf(made, "Investors")).toContain("'Led by Alpha with participation from Beta and Gamma', name nobody");
  });

  test.each([
    "Led by Alpha, with participation from Beta, Gamma Ventures",
    "Alpha, Beta, with participation from Gamma",
    "Co-led by Alpha, Beta",
  ])("a sentence with commas names nobody either: %s", async (sentence) => {
    const lists = ["Delta", "Delta, Epsilon", sentence];
    const made = await byLines([
      "Company,Date,Amount,Investors",
      ...lists.map((list, n) => `A${n},2021-01-13,$1M,"${list}"`),
    ]);
    expect(namesOf(made, "investor")).toEqual(["Delta", "Epsilon"]);
    expect(whyOf(made, "Investors")).toContain(`'${sentence}', name nobody`);
  });

  test("a sentence among items that are apart is one item", async () => {
    const json = [{ company: "A", date: "2021-01-13", amount: "$1M", investors: ["Led by Alpha, Beta", "Gamma"] }];
    const made = await bySuggestion(Buffer.from(JSON.stringify(json)));
    expect(namesOf(made, "investor")).toEqual(["Gamma"]);
    const lines = await byLines(["Company,Date,Amount,Investors", 'A,2021-01-13,$1M,"Led by Alpha, Beta\nGamma"']);
    expect(namesOf(lines, "investor")).toEqual(["Gamma"]);
  });

  test.each([
    ["Blue*, Red, Green", "*"],
    ["Blue (L), Red, Green", "(lead)"],
    ["Blue [lead], Red, Green", "(lead)"],
    ["Lead: Blue; Red; Green", "Lead:"],
    ["Blue ($500k), Red (€1.5 m), Green", "($1m)"],
    ["• Blue\n• Red\n• Green", "•"],
  ])("marks beside names are taken off: %j", async (list, shown) => {
    const made = await byLines(["Company,Date,Amount,Investors", `A,2020-01-13,$1M,"${list}"`]);
    expect(namesOf(made, "investor")).toEqual(["Blue", "Red", "Green"]);
    expect(whyOf(made, "Investors")).toContain(`marks such as '${shown}' are taken off the names`);
  });

  test.each([
    "1. Blue 2. Red, Inc. 3. Green",
    "1) Blue, 2) Red, Inc., 3) Green",
    "(1) Blue\n(2) Red, Inc.\n(3) Green",
    "1.Blue;2.Red, Inc.;3.Green",
  ])("numbers before names separate them: %j", async (list) => {
    const made = await byLines([
      "Company,Date,Amount,Investors",
      `A,2020-01-13,$1M,"${list}"`,
      "B,2020-01-14,$1M,1. Blue",
    ]);
    expect([questionsOf(made), namesOf(made, "investor")]).toEqual([[], ["Blue", "Red, Inc.", "Green"]]);
  });

  test.each([
    ["500 Global, 1. FC Fund", ["500 Global", "1. FC Fund"]],
    ["Blue (new), Red (existing)", ["Blue", "Red"]],
    ["Blue · Red", ["Blue", "Red"]],
    ["Blue, LLC; Red, LP", ["Blue, LLC", "Red, LP"]],
    ["Blue,\nRed,", ["Blue", "Red"]],
    ["Blue<br>Red<br/>Green", ["Blue", "Red", "Green"]],
    ["Blue: $5,000,000, Red - €2m", ["Blue", "Red"]],
    ["Blue (60%), Red (40 %)", ["Blue", "Red"]],
    ["Blue - lead, Red: co-lead", ["Blue", "Red"]],
    ["**Blue**, Red", ["Blue", "Red"]],
    ["Investors: Blue, Red", ["Blue", "Red"]],
    ["Blue <a@blue.example>, Red", ["Blue", "Red"]],
    ["'Blue', 'Red'", ["Blue", "Red"]],
    ["Blue, existing investors", ["Blue"]],
  ])("the names in '%s'", async (list, names) => {
    const made = await byLines(["Company,Date,Amount,Investors", `A,2020-01-13,$1M,"${list}"`]);
    expect([questionsOf(made), namesOf(made, "investor")]).toEqual([[], names]);
  });

  test.each([" y ", " e ", " och ", " и "])("'%s' is asked about", async (word) => {
    for (const list of [`Blue${word}Red`, `Grey, Blue${word}Red`]) {
      const made = await byLines(["Company,Date,Amount,Investors", `A,2020-01-13,$1M,"${list}"`]);
      expect(questionsOf(made)).toEqual(["list_separator"]);
    }
  });

  test("objects in a cell are no names, and that is said", async () => {
    const made = await byLines([
      "Company,Date,Amount,Investors",
      `A,2020-01-13,$1M,"[{'name': 'Blue', 'lead': True}]"`,
      'B,2020-01-14,$1M,"{""name"": ""Blue""}"',
    ]);
    expect(namesOf(made, "investor")).toEqual([]);
    expect(whyOf(made, "Investors")).toContain("only 0 % of its texts are that");
  });

  test("two lists that are split in different ways have a question each", async () => {
    const lines = [
      "Company,Date,Amount,Investors,Lead investors",
      'A,2021-01-13,$1M,"Blue, Red and Green",Grey & Sons',
      'B,2021-01-14,$2M,"Blue, Red and Green",Grey & Sons',
    ];
    expect(questionsOf(await byLines(lines))).toEqual(["list_separator", "lead_separator"]);
    const made = await byLines(lines, { list_separator: "split", lead_separator: "keep" });
    expect(new Set(namesOf(made, "investor"))).toEqual(new Set(["Blue", "Green", "Grey & Sons", "Red"]));
  });
});

import { describe, expect, test } from "vitest";
import { bySuggestion, type Made, questionsOf } from "../../../tests/support/by-suggestion.ts";

describe("signals", () => {
  const signals = ({ records }: Made) =>
    [...records.values()]
      .filter(({ type }) => type === "signal")
      .map(({ company_id: company, key, detected_at: day }) => [company, key, day]);

  test("layoffs are not rounds, though the list has stages and funds", async () => {
    const read = await bySuggestion(
      [
        "company,location,industry,total_laid_off,percentage_laid_off,date,stage,country,funds_raised_millions",
        "Acme,Berlin,Retail,120,0.2,1/13/2023,Series B,Germany,210",
        "Beta,Paris,Food,,,1/14/2023,Seed,France,1.5",
      ].join("\n"),
    );
    expect(questionsOf(read)).toEqual([]);
    expect(signals(read)).toEqual([
      ["co-acme", "layoffs", "2023-01-13"],
      ["co-beta", "layoffs", "2023-01-14"],
    ]);
    expect([...read.records.values()].map(({ type }) => type)).not.toContain("round");
    expect(read.suggestion!.notes.join()).toContain("The rows are about layoffs");
    expect(read.suggestion!.columns.find(({ column }) => column === "stage")!.why).toContain("there are no rounds");
  });

  test("acquisitions are signals of both companies; year and month may have columns of their own", async () => {
    const read = await bySuggestion(
      [
        "ID,Parent Company,Acquisition Year,Acquisition Month,Acquired Company,Business,Country,Acquisition Price",
        "1,Apple,2012,Mar,Chomp,App search engine,United States,$50000000",
        "2,Google,2013,Feb,Channel Intelligence,Product reference,United States,$125000000",
      ].join("\n"),
    );
    expect(signals(read)).toEqual([
      ["co-chomp", "acquired", "2012-03-01"],
      ["co-apple", "acquisition_made", "2012-03-01"],
      ["co-channel-intelligence", "acquired", "2013-02-01"],
      ["co-google", "acquisition_made", "2013-02-01"],
    ]);
  });

  test("open positions are the signal hiring, once for a company and day", async () => {
    const read = await bySuggestion(
      "Job title,Company,Posted at,City\nEngineer,Acme,2023-01-13,Berlin\nDesigner,Acme,2023-01-13,Berlin\n",
    );
    expect(signals(read)).toEqual([["co-acme", "hiring", "2023-01-13"]]);
  });

  test.each([
    ["Acquirer,Target,Date,Investors of target", "Big,Acme,2023-01-13,Blue", "acquisitions"],
    ["Company,Job Title,Posted Date,Stage,Funding", "Acme,Engineer,2023-01-13,Seed,$1M", "hiring"],
  ])("what is known of the company makes no round: %s", async (header, row, kind) => {
    const read = await bySuggestion(`${header}\n${row}\n`);
    expect([questionsOf(read), read.suggestion!.kind]).toEqual([[], kind]);
  });

  test("a person decides what the rows are about", async () => {
    const content = "company,total_laid_off,date,stage\nAcme,120,2023-01-13,Seed\n";
    const read = await bySuggestion(content, { kind: "rounds" });
    expect(signals(read)).toEqual([]);
    expect(read.records.get("rnd-acme-2023-01-13-1")).toMatchObject({ deal_type: "seed" });
  });
});

test("employees in notices of layoffs are no headcount", async () => {
  const read = await bySuggestion(
    "Company Name,Notice Date,No. Of Employees,Layoff/Closure\nAcme,01/13/2024,120,Layoff\nBeta,01/24/2024,45,Closure\n",
  );
  expect(read.suggestion!.kind).toBe("layoffs");
  expect(read.records.get("co-acme")).not.toHaveProperty("headcount");
});

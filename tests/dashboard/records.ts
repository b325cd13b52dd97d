import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { accessibilityProblems, expectNoSidewaysScroll, openTab } from "../support/browser.ts";
import { sized } from "../support/sized.ts";
import type { Site } from "./site.ts";

/** Widths at which all rules of accessibility are looked at. */
const LOOKED_AT = sized([390], [1280, 390]);

/** What pages show of records that these tests write. The records are their own, and stay. */
export function testRecords({ service, tab, newMember }: Site): void {
  const ingest = async (records: readonly object[]) => {
    const lines = records.map((record) => JSON.stringify(record)).join("\n");
    expect(await service.ops(["ingest", "-", "--wait"], lines)).toMatchObject({ code: 0 });
  };

  test("names without a blank break no page, and a round in the future is called so", async () => {
    const long = "Donaudampfschifffahrts".repeat(8);
    const [company, investor] = [`co-${randomUUID()}`, `inv-${randomUUID()}`];
    const nextYear = new Date().getUTCFullYear() + 1;
    await ingest([
      { type: "company", id: company, name: long, country: "IS", city: long, category: long },
      { type: "investor", id: investor, name: long, country: "IS" },
      {
        type: "round",
        id: `rnd-${randomUUID()}`,
        company_id: company,
        announced_date: `${nextYear}-12-20`,
        deal_type: "series_a",
        amount_usd: 1_000_000_000_000,
        investors: [{ investor_id: investor, is_lead: true }],
      },
    ]);
    for (const width of [1280, 768, 390]) {
      const { page, wrong } = await tab({ width });
      for (const path of [
        `companies/${company}`,
        `investors/${investor}`,
        `explore/funding?companies=${company}`,
        `explore/investors?q=${long.slice(0, 90)}`,
        `explore/funding?investors=${long}`,
      ]) {
        await page.goto(`${service.dashboard}/${path}`);
        await page
          .getByText(long)
          .or(page.getByText(/0 found/))
          .first()
          .waitFor();
        await expectNoSidewaysScroll(page);
        if (LOOKED_AT.includes(width)) expect(await accessibilityProblems(page)).toEqual([]);
      }
      await page.goto(`${service.dashboard}/companies/${company}`);
      await page.getByText("0, and 1 in the future").waitFor();
      await page.getByText(`20 Dec ${nextYear} in the future`).waitFor();
      expect(wrong).toEqual([]);
    }
  });

  test("the home counts saved searches, and what is new since they were opened", async () => {
    const { profile } = await newMember("Reader");
    const { page } = await openTab(profile);
    const company = `co-${randomUUID()}`;
    const saved = page.getByRole("listitem").filter({ hasText: "One company" });
    const rows = (text: string) => saved.getByText(text, { exact: true }).waitFor();
    await page.goto(`${service.dashboard}/explore/funding?companies=${company}`);
    await page.getByRole("button", { name: "Save this search" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("One company");
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    await page.goto(service.dashboard);
    await rows("0 rows");
    expect(await page.getByText(/ new$/).count()).toBe(0);
    const round = { type: "round", id: `rnd-${randomUUID()}`, company_id: company, announced_date: "2013-10-01" };
    await ingest([
      { type: "company", id: company, name: "Home Reykjavik", country: "IS" },
      { ...round, deal_type: "seed", amount_usd: 1_000_000, investors: [] },
    ]);
    await expect
      .poll(async () => {
        await page.reload();
        await rows("1 row");
        return page.getByText("1 new", { exact: true }).count();
      })
      .toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    const position = page.waitForResponse(/changes/);
    await page.getByRole("link", { name: "One company" }).click();
    await position;
    await page.getByText("Home Reykjavik").first().waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await rows("1 row");
    expect(await page.getByText("1 new", { exact: true }).count()).toBe(0);
  });
}

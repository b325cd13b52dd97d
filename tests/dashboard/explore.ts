import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { accessibilityProblems, openTab } from "../support/browser.ts";
import type { Site } from "./site.ts";

export function testExplore({ service, tab, newMember }: Site): void {
  /** A tab, and the requests to the API that it sends from now on. */
  async function listening() {
    const { page, wrong } = await tab();
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      const path = pathname.split("/dashboard/api/v1/")[1];
      if (path !== undefined) asked.push(path + search);
    });
    return { page, wrong, asked };
  }
  const open = async (page: Page, path: string) => {
    await page.goto(`${service.dashboard}/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  const found = (page: Page, text: string) => page.getByText(`${text} found`, { exact: true }).waitFor();
  const addressOf = (page: Page) => decodeURIComponent(page.url().split("/explore/")[1] ?? "");
  const submit = (page: Page) => page.getByRole("button", { name: "Show results" }).click();

  describe("a request", () => {
    test("is made with the keyboard alone: suggestions, exclusion, several values", async () => {
      const { page, wrong, asked } = await listening();
      await open(page, "explore/funding");
      await found(page, "729");
      const countries = page.getByRole("combobox", { name: "Countries", exact: true });
      await countries.focus();
      await page.keyboard.type("ger");
      const active = page.getByRole("option", { name: "Germany", selected: true });
      await active.waitFor();
      expect(await countries.getAttribute("aria-activedescendant")).toBe(await active.getAttribute("id"));
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Remove Germany" }).waitFor();
      // The list would lie over the next fields.
      expect(await countries.getAttribute("aria-expanded")).toBe("false");
      await page.keyboard.press("ArrowDown");
      await page.getByRole("option", { name: /Germany/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.type("!united s");
      await page.getByRole("option", { name: /United States/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Remove United States" }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/DE/);
      expect(addressOf(page)).toBe("funding?country=DE,!US");
      await found(page, "52");
      expect(asked.filter((path) => path.startsWith("funding")).length).toBe(2);

      await page.getByRole("button", { name: /^is Germany/ }).click();
      await page.getByRole("button", { name: /^not United States/ }).click();
      await submit(page);
      await page.waitForURL(/US,!DE|!DE,US/);
      await found(page, "140");
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(wrong).toEqual([]);
    });

    test("finds companies and investors as people type, and sends their ids", async () => {
      const { page, asked } = await listening();
      await open(page, "explore/funding");
      await page.getByRole("combobox", { name: "Investors", exact: true }).fill("bellwatr");
      await page.getByRole("option", { name: /Bellwater Capital/ }).click();
      await page.getByRole("combobox", { name: "Companies" }).pressSequentially("velvethaven", { delay: 10 });
      await page
        .getByRole("option", { name: /Velvethaven/ })
        .first()
        .click();
      // Not one for each key. A browser that stalls while somebody types may ask once more.
      expect(asked.filter((path) => path.startsWith("search")).length).toBeLessThanOrEqual(3);
      await submit(page);
      await page.waitForURL(/investors/);
      expect(addressOf(page)).toContain("investors=inv-showcase-bellwater-capital");
      await page.getByRole("button", { name: "Remove Bellwater Capital" }).waitFor();
    });

    test("takes the active suggestion, and a text as it was typed by an option of its own", async () => {
      const { page } = await tab();
      await open(page, "explore/funding");
      const investors = page.getByRole("combobox", { name: "Investors", exact: true });
      const chip = (name: string) => page.getByRole("button", { name: `Remove ${name}`, exact: true }).waitFor();
      const remove = (name: string) => page.getByRole("button", { name: `Remove ${name}`, exact: true }).click();
      // Before the suggestions are there.
      await investors.fill("bellwatr");
      await investors.press("Enter");
      await chip("Bellwater Capital");
      await remove("Bellwater Capital");

      await investors.fill("bellwatr");
      await page.getByRole("option", { name: /Bellwater Capital/, selected: true }).waitFor();
      await investors.press("Tab");
      await chip("Bellwater Capital");

      await investors.fill("bellw");
      await page.getByRole("option", { name: /Bellwater Capital/, selected: true }).waitFor();
      await investors.press("ArrowUp");
      const written = page.getByRole("option", { name: /as written/ });
      expect([await written.innerText(), await written.getAttribute("aria-selected")]).toEqual([
        "Search for 'bellw' as written",
        "true",
      ]);
      expect(await accessibilityProblems(page)).toEqual([]);
      await investors.press("Enter");
      await chip("bellw");

      // After Escape nothing is suggested, so the text is meant.
      await investors.fill("bell");
      await page.getByRole("option", { name: /Bellwater Capital/ }).waitFor();
      await investors.press("Escape");
      await investors.press("Tab");
      await chip("bell");
      const signals = () => page.getByRole("combobox", { name: "Signals", exact: true });
      await open(page, "explore/signals");
      await signals().fill("just");
      await page.getByRole("option", { name: /Just raised/, selected: true }).waitFor();
      expect(await page.getByRole("option", { name: /as written/ }).count()).toBe(0);
    });

    test("has every kind of filter", async () => {
      const { page } = await tab();
      await open(page, "explore/signals");
      await page.getByRole("combobox", { name: "Signals", exact: true }).fill("just");
      await page.getByRole("option", { name: /Just raised.*less than 90 days/ }).click();
      await page.getByRole("combobox", { name: "Technologies", exact: true }).fill("Python");
      await page
        .getByRole("option", { name: /Python/ })
        .first()
        .click();
      await page.getByLabel("Signals needed").selectOption("all");
      await page.getByLabel("Lowest score").fill("50");
      await page.getByText("How much", { exact: true }).click();
      await page.getByLabel("Lowest total raised").fill("1000000");
      await page.getByText("When", { exact: true }).click();
      await page.getByLabel("Announced from").fill("2013-01-01");
      await page.getByText("Order", { exact: true }).click();
      await page.getByLabel("Sort by").selectOption("name_asc");
      await page.getByLabel("Rows per page").selectOption("20");
      await submit(page);
      await page.waitForURL(/signal=/);
      const sent = new Map(new URL(page.url()).searchParams);
      expect(Object.fromEntries(sent)).toEqual({
        signal: "just_raised",
        signal_match: "all",
        tech_stack: "python",
        min_signal_score: "50",
        min_total_raised_usd: "1000000",
        from: "2013-01-01",
        sort: "name_asc",
        limit: "20",
      });
      await page.getByText(/^Rows 1–/).waitFor();
    });

    test("with commas, quotes and marks in a name reaches the API as it is meant", async () => {
      const { page, asked } = await listening();
      await open(page, "explore/funding");
      const investors = page.getByRole("combobox", { name: "Investors", exact: true });
      for (const name of ['Kleiner, "Perkins"', "-5 Ventures", "C++"]) {
        await investors.fill(name);
        await page.getByRole("option", { name: `Search for '${name}' as written` }).click();
      }
      await submit(page);
      await page.getByText("0 found").waitFor();
      const sent = new URLSearchParams(asked.at(-1)!.split("?")[1]).get("investors");
      expect(sent).toBe('"Kleiner, ""Perkins""","-5 Ventures",C++');
      await page
        .getByText(/No funding round has the investor/)
        .first()
        .waitFor();
      await page.reload();
      await page.getByRole("button", { name: 'Remove Kleiner, "Perkins"' }).waitFor();
    });

    test("that the API refuses has each problem at its field", async () => {
      const { page } = await tab();
      await open(page, "explore/funding?country=Germny&deal_types=sead&from=2013-02-30&min_amount_usd=1e6&nonsense=1");
      await page.getByText("Some filters need a change.").waitFor();
      const problemOf = async (field: ReturnType<Page["getByRole"]>) => {
        expect(await field.getAttribute("aria-invalid")).toBe("true");
        const ids = (await field.getAttribute("aria-describedby"))!.split(" ");
        return page.locator(`[id="${ids.at(-1)}"]`).innerText();
      };
      expect(await problemOf(page.getByRole("combobox", { name: "Countries", exact: true }))).toContain("'Germny'");
      expect(await problemOf(page.getByRole("combobox", { name: "Deal types" }))).toContain("'sead'");
      expect(await problemOf(page.getByLabel("Announced from"))).toContain("2013-02-30");
      expect(await problemOf(page.getByLabel("Lowest amount"))).toContain("min_amount_usd");
      await page.getByText("There is no parameter 'nonsense' here.").waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Use Germany" }).click();
      await page.getByRole("button", { name: "Use Seed" }).click();
      await page.getByLabel("Announced from").fill("");
      await page.getByLabel("Lowest amount").fill("1000000");
      await submit(page);
      await page.getByText("One filter needs a change.").waitFor();
      expect(addressOf(page)).toBe("funding?country=DE&deal_types=seed&min_amount_usd=1000000&nonsense=1");
    });
  });

  describe("the results", () => {
    test("are sorted by a column's head, and walked through forth and back", async () => {
      const { page, wrong } = await tab();
      await open(page, "explore/funding?country=US");
      await found(page, "140");
      await page.getByRole("combobox", { name: "Cities" }).fill("Boston");
      await page.getByRole("link", { name: "Amount" }).click();
      await page.waitForURL(/sort=amount_desc/);
      await page.getByRole("button", { name: "Remove Boston" }).waitFor();
      await page.getByRole("columnheader", { name: "Amount" }).and(page.locator("[aria-sort=descending]")).waitFor();
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await page.getByText("Rows 11–20 of 140").waitFor();
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await page.getByText("Rows 21–30 of 140").waitFor();
      await page.getByRole("link", { name: "Previous", exact: true }).click();
      await page.getByText("Rows 11–20 of 140").waitFor();
      await page.goBack();
      await page.getByText("Rows 21–30 of 140").waitFor();
      const pasted = page.url();
      await page.getByRole("link", { name: "First page" }).click();
      await page.getByText("Rows 1–10 of 140").waitFor();
      await page.goto("about:blank");
      await page.goto(pasted);
      await page.getByText("Rows 21–30 of 140").waitFor();
      expect(wrong).toEqual([]);
    });

    test("are requested only when they are in view", async () => {
      const { page, asked, wrong } = await listening();
      await open(page, "explore/funding?view=code");
      await page.getByRole("heading", { name: "Python" }).waitFor();
      expect(asked).toEqual([]);
      const views = page.getByRole("navigation", { name: "Views" });
      await views.getByRole("link", { name: "Table" }).click();
      await found(page, "729");
      expect(asked).toEqual(["funding"]);
      await views.getByRole("link", { name: "JSON" }).click();
      await page.getByText('"filters_applied"').waitFor();
      expect(asked).toEqual(["funding"]);
      await views.getByRole("link", { name: "Charts" }).click();
      await page.getByRole("table", { name: "Rounds by country" }).waitFor();
      await page.getByText("Rounds by month as a table").waitFor();
      expect(asked.slice(1).every((path) => path.startsWith("funding/stats?"))).toBe(true);
      expect(asked.length).toBe(4);
      expect(await accessibilityProblems(page)).toEqual([]);
      await views.getByRole("link", { name: "Table" }).click();
      await page.getByText("Rows 1–10 of 729").waitFor();
      await page.goBack();
      await page.getByRole("link", { name: "Germany" }).first().click();
      await page.waitForURL(/country=DE$/);
      await found(page, "52");
      expect(asked.length).toBe(5);
      expect(wrong).toEqual([]);
    });

    test("of signals have charts as well, those of companies and investors have none", async () => {
      const { page } = await tab();
      await open(page, "explore/signals?view=charts");
      await page.getByRole("table", { name: "Companies by score" }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      for (const list of ["companies", "investors"]) {
        await open(page, `explore/${list}`);
        await page.getByText(/^Rows 1–10/).waitFor();
        expect(await page.getByRole("link", { name: "Charts" }).count()).toBe(0);
        expect(await accessibilityProblems(page)).toEqual([]);
      }
    });

    test("are downloaded as CSV: all of them, or the page where the plan has no exports", async () => {
      const { page } = await tab();
      await open(page, "explore/funding?country=US");
      await found(page, "140");
      const download = async (of: Page, which: string) => {
        await of.getByRole("button", { name: "CSV" }).click();
        const started = of.waitForEvent("download");
        await of.getByRole("button", { name: which }).click();
        return readFileSync(await (await started).path(), "utf8")
          .trimEnd()
          .split("\r\n");
      };
      expect((await download(page, "All rows")).length).toBe(141);
      const { page: small } = await openTab((await newMember("Small", "starter")).profile);
      await open(small, "explore/funding?country=US");
      await found(small, "140");
      expect((await download(small, "This page")).length).toBe(11);
      await small.getByRole("button", { name: "CSV" }).click();
      await small.getByText(/Starter has no exports/).waitFor();
      expect(await small.getByRole("button", { name: "All rows" }).count()).toBe(0);
    });

    test("say when the month's requests are used up, and when nothing answers", async () => {
      const { page } = await openTab((await newMember("Scant", "scant")).profile);
      await open(page, "explore/funding");
      await found(page, "729");
      await page.getByRole("link", { name: "Amount" }).click();
      await page.getByText("The requests of this month are used up.").waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.context().setOffline(true);
      await page.getByRole("link", { name: "JSON" }).click();
      await page.goBack();
      await page.goBack();
      await page.getByText("The service can't be reached.").waitFor();
      await page.context().setOffline(false);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("The requests of this month are used up.").waitFor();
    });
  });

  describe("a look-up", () => {
    test("of a company shows its rounds, its signals, and points that sum to the score", async () => {
      const { page, wrong } = await tab();
      await open(page, "explore/companies?q=Alderbrook");
      await page.getByRole("link", { name: "Alderbrook Bio" }).click();
      await page.getByRole("heading", { level: 1, name: "Alderbrook Bio" }).waitFor();
      await page.getByText("At least 1 technology tagged AI").waitFor();
      expect(await page.title()).toBe("Alderbrook Bio · Tranche");
      const table = page.getByRole("region", { name: "Signals and their points" });
      const points = await table.locator("tbody tr").evaluateAll((rows) =>
        // eslint-disable-next-line typescript/no-explicit-any
        (rows as any[]).map((row) => Number(row.cells[1].innerText.replace("−", "-"))),
      );
      const score = Number(await table.locator("tfoot td").first().innerText());
      expect(points.reduce((sum, one) => sum + one, 0)).toBeCloseTo(score, 6);
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole("link", { name: "Bellwater Capital" }).click();
      await page.getByRole("heading", { level: 1, name: "Bellwater Capital" }).waitFor();
      await page.getByRole("link", { name: "Earlier rounds" }).click();
      await page.getByRole("link", { name: "Newest rounds" }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(wrong).toEqual([]);
    });

    test("of an id that nobody has names the closest ones", async () => {
      const { page, wrong } = await tab();
      await open(page, "companies/ochretarn-bia");
      await page.getByRole("heading", { name: "There is no such company" }).waitFor();
      await page.getByRole("link", { name: "co-showcase-ochretarn-bio" }).click();
      await page.getByRole("heading", { level: 1, name: "Ochretarn Bio" }).waitFor();
      await open(page, "companies/%E0%A4%A");
      await page.getByRole("heading", { name: "There is no such page" }).waitFor();
      await open(page, `investors/${encodeURIComponent("<img src=x onerror=alert(1)>/..")}`);
      await page.getByRole("heading", { level: 1, name: "There is no such" }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(wrong).toEqual([]);
    });
  });

  test("a search is saved, opened, counted, renamed and deleted", async () => {
    const { page, wrong, asked } = await listening();
    await open(page, "explore/funding?country=US,!DE&sort=amount_desc&limit=20&view=json");
    await found(page, "140");
    await page.getByRole("button", { name: "Save this search" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("x".repeat(121));
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByText("at most 120 characters").waitFor();
    await dialog.getByLabel("Name").fill("<b>Large</b> in the US");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("link", { name: "Saved searches" }).click();

    await page.getByRole("heading", { level: 1, name: "Saved searches" }).waitFor();
    const before = asked.length;
    const row = page.getByRole("row").filter({ hasText: "<b>Large</b> in the US" });
    await row.waitFor();
    expect(asked.length).toBe(before);
    await row.getByRole("button", { name: "Count" }).click();
    await row.getByText("140").waitFor();
    expect(asked.at(-1)).toBe("funding?country=US,!DE&sort=amount_desc&limit=1");
    expect(await accessibilityProblems(page)).toEqual([]);

    const second = await page.context().newPage();
    await open(second, "searches");
    await second.getByRole("button", { name: "Rename" }).click();
    await row.getByRole("button", { name: "Rename" }).click();
    await dialog.getByLabel("Name").fill("Large rounds");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("link", { name: "Large rounds", exact: true }).waitFor();
    await second.getByRole("dialog").getByLabel("Name").fill("Mine");
    await second.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await second.getByText("Somebody else has changed this search.").waitFor();
    await second.close();

    await page.getByRole("link", { name: "Large rounds", exact: true }).click();
    await page.waitForURL(/explore/);
    expect(addressOf(page)).toBe("funding?country=US,!DE&sort=amount_desc");

    await page.getByRole("button", { name: "Remove Germany" }).click();
    await submit(page);
    await page.waitForURL(/country=US&/);
    await page.getByRole("button", { name: "Save this search" }).click();
    await dialog.getByLabel("Save as").selectOption({ label: "In place of “Large rounds”" });
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("link", { name: "Saved searches" }).click();
    await page.getByRole("link", { name: "Large rounds", exact: true }).click();
    await page.waitForURL(/explore/);
    expect(addressOf(page)).toBe("funding?country=US&sort=amount_desc");
    await page.goBack();
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Nothing is saved yet" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });
}

import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { accessibilityProblems, openTab } from "../support/browser.ts";
import type { Site } from "./site.ts";

export function testExplore({ service, queues, tab, newMember }: Site): void {
  /** A tab, and the requests to the API that it sends from now on. */
  async function listening() {
    const { page, wrong } = await tab();
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      const path = pathname.split("/dashboard/api/v1/")[1];
      // Each page says how new the data is, which costs nothing.
      if (path !== undefined && path !== "freshness") asked.push(path + search);
    });
    return { page, wrong, asked };
  }
  const open = async (page: Page, path: string) => {
    await page.goto(`${service.dashboard}/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  const found = (page: Page, text: string) => page.getByText(`${text} found`, { exact: true }).waitFor();
  const addressOf = (page: Page) => decodeURIComponent(page.url().split("/explore/")[1] ?? "");
  const chip = (page: Page, name: string) =>
    page.getByRole("group", { name: "Filters" }).getByRole("button", { name: new RegExp(`^${name}(:|$)`) });
  /** Opens a filter and returns its window. */
  const filter = async (page: Page, name: string) => {
    await chip(page, name).click();
    return page.getByRole("dialog", { name, exact: true });
  };
  /** The same for one that is offered only in the menu. */
  const otherFilter = async (page: Page, name: string) => {
    await page.getByRole("button", { name: "Add a filter" }).click();
    await page.getByRole("dialog", { name: "Add a filter" }).getByRole("button", { name, exact: true }).click();
    return page.getByRole("dialog", { name, exact: true });
  };

  describe("a request", () => {
    test("is made with the keyboard alone, and each change is applied at once", async () => {
      const { page, wrong, asked } = await listening();
      await open(page, "explore/funding");
      await found(page, "729");
      await chip(page, "Countries").focus();
      await page.keyboard.press("Enter");
      const countries = page.getByRole("combobox", { name: "Countries", exact: true });
      await page.keyboard.type("ger");
      const active = page.getByRole("option", { name: "Germany", selected: true });
      await active.waitFor();
      expect(await countries.getAttribute("aria-activedescendant")).toBe(await active.getAttribute("id"));
      await page.keyboard.press("Enter");
      await page.waitForURL(/country=DE$/);
      await found(page, "52");
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.keyboard.type("!united s");
      await page.getByRole("option", { name: /United States/, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/US/);
      expect(addressOf(page)).toBe("funding?country=DE,!US");
      await expect.poll(() => asked.filter((path) => path.startsWith("funding")).length).toBe(3);
      await found(page, "52");
      // The first Escape takes a text away, the second one closes the filter and gives the focus back.
      await page.keyboard.type("fr");
      await page.keyboard.press("Escape");
      expect(await countries.inputValue()).toBe("");
      await page.keyboard.press("Escape");
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.locator(":focus").getByText("Germany, not United States").waitFor();

      const opened = await filter(page, "Countries");
      await opened.getByRole("button", { name: /^is Germany/ }).click();
      await opened.getByRole("button", { name: /^not United States/ }).click();
      await page.waitForURL(/US,!DE|!DE,US/);
      await found(page, "140");
      await page.getByRole("button", { name: "Clear Countries" }).click();
      await found(page, "729");
      await page.goBack();
      await found(page, "140");
      expect(wrong).toEqual([]);
    });

    test("finds companies and investors as people type, and sends their ids", async () => {
      const { page, asked } = await listening();
      await open(page, "explore/funding");
      const investors = await filter(page, "Investors");
      await investors.getByRole("combobox", { name: "Investors" }).fill("bellwatr");
      await page.getByRole("option", { name: /Bellwater Capital/ }).click();
      await page.waitForURL(/investors=inv-showcase-bellwater-capital/);
      const companies = await otherFilter(page, "Companies");
      await companies.getByRole("combobox").pressSequentially("velvethaven", { delay: 10 });
      await page
        .getByRole("option", { name: /Velvethaven/ })
        .first()
        .click();
      // Not one for each key. A browser that stalls while somebody types may ask once more.
      expect(asked.filter((path) => path.startsWith("search")).length).toBeLessThanOrEqual(3);
      await page.waitForURL(/companies/);
      await page.keyboard.press("Escape");
      await chip(page, "Investors").getByText("Bellwater Capital").waitFor();
    });

    test("takes the active suggestion, and a text as it was typed by an option of its own", async () => {
      const { page } = await tab();
      await open(page, "explore/funding");
      const opened = await filter(page, "Investors");
      const investors = opened.getByRole("combobox", { name: "Investors" });
      const item = (name: string) => page.getByRole("button", { name: `Remove ${name}`, exact: true });
      // Before the suggestions are there.
      await investors.fill("bellwatr");
      await investors.press("Enter");
      await item("Bellwater Capital").click();

      await investors.fill("bellwatr");
      await page.getByRole("option", { name: /Bellwater Capital/, selected: true }).waitFor();
      await investors.press("Tab");
      await item("Bellwater Capital").click();

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
      await item("bellw").waitFor();

      await open(page, "explore/signals");
      await (await filter(page, "Signals")).getByRole("combobox", { name: "Signals", exact: true }).fill("just");
      await page.getByRole("option", { name: /Just raised/, selected: true }).waitFor();
      expect(await page.getByRole("option", { name: /as written/ }).count()).toBe(0);
    });

    test("has every kind of filter, and understands amounts and days as people write them", async () => {
      const { page } = await tab();
      await open(page, "explore/signals");
      const signals = await filter(page, "Signals");
      await signals.getByRole("combobox", { name: "Signals", exact: true }).fill("just");
      await page.getByRole("option", { name: /Just raised.*less than 90 days/ }).click();
      await signals.getByLabel("Match").selectOption("all");
      const score = await filter(page, "Score");
      await score.getByRole("textbox").fill("50");
      await score.getByRole("textbox").press("Enter");
      await page.waitForURL(/min_signal_score=50/);
      const raised = await otherFilter(page, "Total raised");
      await raised.getByLabel("Lowest total raised").fill("12x");
      await raised.getByLabel("Lowest total raised").press("Enter");
      await raised.getByText("'12x' is not a number. Write 5000000, 5,000,000 or 5m.").waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await raised.getByLabel("Lowest total raised").fill("1.5m");
      await raised.getByLabel("Highest total raised").fill("$900,000,000");
      await raised.getByLabel("Highest total raised").press("Enter");
      await page.waitForURL(/max_total_raised_usd/);
      await raised.getByLabel("Highest total raised").fill("7");
      await page.keyboard.press("Escape");
      expect(await raised.getByLabel("Highest total raised").inputValue()).toBe("900,000,000");
      expect(await raised.getByLabel("Lowest total raised").inputValue()).toBe("1,500,000");
      const announced = await filter(page, "Announced");
      await announced.getByLabel("Announced from").fill("Sept 2012");
      await announced.getByLabel("Announced until").fill("2013");
      await announced.getByLabel("Announced until").press("Enter");
      await page.waitForURL(/to=2013-12-31/);
      await page.keyboard.press("Escape");
      await chip(page, "Announced").getByText("1 Sept 2012 – 31 Dec 2013").waitFor();
      await page.getByLabel("Order").selectOption("name_asc");
      await page.getByLabel("Rows per page").selectOption("50");
      await page.waitForURL(/limit=50/);
      expect(Object.fromEntries(new Map(new URL(page.url()).searchParams))).toEqual({
        signal: "just_raised",
        signal_match: "all",
        min_signal_score: "50",
        min_total_raised_usd: "1500000",
        max_total_raised_usd: "900000000",
        from: "2012-09-01",
        to: "2013-12-31",
        sort: "name_asc",
        limit: "50",
      });
      await page.getByText(/^Rows 1–/).waitFor();
      // This browser remembers it, for the tests after this one as well.
      await page.getByLabel("Rows per page").selectOption("25");
      await page.waitForURL(/limit=25/);
      await page.getByRole("button", { name: "Clear all" }).click();
      await page.waitForURL(/signals\?sort=name_asc&limit=25$/);
    });

    test("keeps what is typed before the browser has drawn its field", async () => {
      const { page } = await tab();
      await open(page, "explore/signals");
      await chip(page, "Score").waitFor();
      await page.evaluate(`(async () => {
        const opened = new Promise((resolve) =>
          new MutationObserver(resolve).observe(document.querySelector(".filter-bar"), { childList: true, subtree: true }));
        [...document.querySelectorAll(".filter-chip")].find(({ textContent }) => textContent.includes("Score")).click();
        await opened;
        document.execCommand("insertText", false, "50");
        await new Promise((drawn) => requestAnimationFrame(() => setTimeout(() => setTimeout(drawn))));
      })()`);
      await page.keyboard.press("Enter");
      await page.waitForURL(/min_signal_score=50$/);
    });

    test("forgets what was wrong with a text that is gone", async () => {
      const { page } = await tab();
      await open(page, "explore/funding");
      const announced = await filter(page, "Announced");
      const from = announced.getByLabel("Announced from");
      const wrong = announced.getByText(/^'soon' is not a day/);
      await from.fill("soon");
      await from.press("Enter");
      await wrong.waitFor();
      await from.press("Escape");
      await wrong.waitFor({ state: "detached" });
      await from.fill("soon");
      await from.press("Enter");
      await wrong.waitFor();
      await announced.getByRole("button", { name: "2012" }).click();
      await wrong.waitFor({ state: "detached" });
      expect(await from.inputValue()).toBe("1 Jan 2012");
    });

    test("has usual periods, which end on the day of the service", async () => {
      const { page } = await tab();
      await open(page, "explore/funding");
      const announced = await filter(page, "Announced");
      await announced.getByRole("button", { name: "Last 90 days" }).click();
      await page.waitForURL(/from=/);
      expect(addressOf(page)).toBe("funding?from=2013-08-03&to=2013-10-31");
      await announced.getByRole("button", { name: "2012" }).click();
      await chip(page, "Announced").getByText("2012", { exact: true }).waitFor();
    });

    test("with commas, quotes and marks in a name reaches the API as it is meant", async () => {
      const { page, asked } = await listening();
      await open(page, "explore/funding");
      const opened = await filter(page, "Investors");
      for (const name of ['Kleiner, "Perkins"', "-5 Ventures", "C++"]) {
        await opened.getByRole("combobox", { name: "Investors" }).fill(name);
        await page.getByRole("option", { name: `Search for '${name}' as written` }).click();
        await opened.getByRole("button", { name: `Remove ${name}`, exact: true }).waitFor();
      }
      const sent = () => {
        const last = asked.filter((path) => path.startsWith("funding")).at(-1)!;
        return new URLSearchParams(last.split("?")[1]).get("investors");
      };
      await expect.poll(sent).toBe('"Kleiner, ""Perkins""","-5 Ventures",C++');
      await found(page, "0");
      await page
        .getByText(/No funding round has the investor/)
        .first()
        .waitFor();
      await page.reload();
      await chip(page, "Investors").getByText('Kleiner, "Perkins", -5 Ventures, 1 more').waitFor();
    });

    test("that the API refuses has each problem at its field, by the labels that people see", async () => {
      const { page } = await tab();
      await open(page, "explore/funding?country=Germny&deal_types=sead&from=2013-02-30&min_amount_usd=1e6&nonsense=1");
      await page.getByText("Some filters need a change.").waitFor();
      const problemOf = async (field: ReturnType<Page["getByRole"]>) => {
        await field.and(page.locator("[aria-invalid=true]")).waitFor();
        const ids = (await field.getAttribute("aria-describedby"))!.split(" ");
        return page.locator(`[id="${ids.at(-1)}"]`).innerText();
      };
      await page.getByText("There is no parameter 'nonsense' here.").waitFor();
      expect(await page.getByRole("alert").innerText()).not.toMatch(/min_amount|deal_types/);
      expect(await accessibilityProblems(page)).toEqual([]);
      const announced = await filter(page, "Announced");
      expect(await problemOf(announced.getByLabel("Announced from"))).toContain("2013-02-30");
      await announced.getByLabel("Announced from").fill("");
      const countries = await filter(page, "Countries");
      expect(await problemOf(countries.getByRole("combobox"))).toContain("'Germny'");
      await countries.getByRole("button", { name: "Use Germany" }).click();
      const types = await filter(page, "Deal types");
      expect(await problemOf(types.getByRole("combobox"))).toContain("'sead'");
      await types.getByRole("button", { name: "Use Seed" }).click();
      const amounts = await filter(page, "Amount");
      expect(await problemOf(amounts.getByLabel("Lowest amount"))).toContain("“Lowest amount”");
      await amounts.getByLabel("Lowest amount").fill("1m");
      await amounts.getByLabel("Lowest amount").press("Enter");
      await page.getByText("One filter needs a change.").waitFor();
      expect(addressOf(page)).toBe("funding?country=DE&deal_types=seed&min_amount_usd=1000000&nonsense=1");
    });
  });

  describe("the results", () => {
    test("are sorted by a column's head, and walked through forth and back", async () => {
      const { page, wrong } = await tab();
      await open(page, "explore/funding?country=US");
      await found(page, "140");
      await page.getByRole("link", { name: "Amount" }).click();
      await page.waitForURL(/sort=amount_desc/);
      await page.getByRole("columnheader", { name: "Amount" }).and(page.locator("[aria-sort=descending]")).waitFor();
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await page.getByText("Rows 26–50 of 140").waitFor();
      // A double click leads to the next page, not to the one after it.
      const clicked = Promise.withResolvers<void>();
      await page.route(/v1\/funding\?.*cursor/, (route) => clicked.promise.then(() => route.continue()));
      await page.getByRole("link", { name: "Next", exact: true }).dblclick();
      await page.getByText("Rows 26–50 of 140").waitFor();
      clicked.resolve();
      await page.getByText("Rows 51–75 of 140").waitFor();
      expect(new URL(page.url()).searchParams.get("page")).toBe("3");
      await page.getByRole("link", { name: "Previous", exact: true }).click();
      await page.getByText("Rows 26–50 of 140").waitFor();
      await page.goBack();
      await page.getByText("Rows 51–75 of 140").waitFor();
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.getByText("Copied link").first().waitFor();
      const pasted = await page.evaluate<string>("navigator.clipboard.readText()");
      await page.getByRole("link", { name: "First page" }).click();
      await page.getByText("Rows 1–25 of 140").waitFor();
      await page.goto("about:blank");
      await page.goto(pasted);
      await page.getByText("Rows 51–75 of 140").waitFor();
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
      expect(asked).toEqual(["funding?limit=25"]);
      await views.getByRole("link", { name: "JSON" }).click();
      await page.getByText('"filters_applied"').waitFor();
      expect(asked).toEqual(["funding?limit=25"]);
      await views.getByRole("link", { name: "Charts" }).click();
      await page.getByRole("table", { name: "Rounds by country" }).waitFor();
      await page.getByText("Rounds by month as a table").waitFor();
      expect(asked.slice(1).every((path) => path.startsWith("funding/stats?"))).toBe(true);
      expect(asked.length).toBe(4);
      expect(await accessibilityProblems(page)).toEqual([]);
      await views.getByRole("link", { name: "Table" }).click();
      await page.getByText("Rows 1–25 of 729").waitFor();
      await page.goBack();
      await page.getByRole("link", { name: "Germany" }).first().click();
      await page.waitForURL(/country=DE$/);
      await found(page, "52");
      expect(asked.length).toBe(5);
      expect(wrong).toEqual([]);
    });

    test("of a period are compared with the period before", async () => {
      const { page, wrong, asked } = await listening();
      await open(page, "explore/funding?view=charts&country=DE&from=2012-01-01&to=2012-12-31");
      const text = "1 Jan 2012 – 31 Dec 2012 compared with 1 Jan 2011 – 31 Dec 2011";
      await page.getByText(text, { exact: true }).waitFor();
      expect(asked.filter((path) => path.includes("from=2011-01-01")).length).toBe(1);
      expect(asked.length).toBe(4);
      // Shown again, they cost nothing more than the table between.
      const views = page.getByRole("navigation", { name: "Views" });
      await views.getByRole("link", { name: "Table" }).click();
      await page.getByText(/^Rows 1–/).waitFor();
      await views.getByRole("link", { name: "Charts" }).click();
      await page.getByText(text, { exact: true }).waitFor();
      expect(asked.length).toBe(5);
      const total = async (year: number) => {
        const answer = await page.request.get(
          `${service.dashboard}/api/v1/funding?country=DE&from=${year}-01-01&to=${year}-12-31`,
        );
        return String((await answer.json()).pagination.count);
      };
      const [now, before] = [await total(2012), await total(2011)];
      const shown = page.locator(".comparison dl > div").first();
      await shown.getByText(now, { exact: true }).waitFor();
      await shown.getByText(`before: ${before}`, { exact: true }).waitFor();
      await page.getByText("Rounds by month as a table").click();
      const table = page.getByRole("region", { name: "Rounds by month" });
      await table.getByRole("columnheader", { name: "Period before" }).waitFor();
      expect(await table.getByRole("row").count()).toBe(13);
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      // The year has not ended, so both are counted up to the same day.
      await open(page, "explore/funding?view=charts&from=2013-01-01&to=2013-12-31");
      await page.getByText(/^1 Jan 2013 – .* compared with 1 Jan 2012 – .* 2012$/).waitFor();
      expect(wrong).toEqual([]);
    });

    test("of signals have charts as well, those of companies and investors have none", async () => {
      const { page } = await tab();
      await open(page, "explore/signals?view=charts");
      await page.getByRole("table", { name: "Companies by score" }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      for (const list of ["companies", "investors"]) {
        await open(page, `explore/${list}`);
        await page.getByText(/^Rows 1–2[45] of/).waitFor();
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
      await page.getByRole("link", { name: "Amount" }).click();
      await page.waitForURL(/sort=amount_desc/);
      const [head, ...rows] = await download(page, "All rows");
      expect(rows.length).toBe(140);
      const at = head!.split(",").indexOf("amount_usd");
      // The columns before it have no commas.
      const amounts = rows.map((row) => Number(row.split(",")[at] || -1));
      expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
      const { page: small } = await openTab((await newMember("Small", "starter")).profile);
      await open(small, "explore/funding?country=US");
      await found(small, "140");
      expect((await download(small, "This page")).length).toBe(11);
      await small.getByRole("button", { name: "CSV" }).click();
      await small.getByText(/Starter has no exports/).waitFor();
      expect(await small.getByRole("button", { name: "All rows" }).count()).toBe(0);
    });

    test("say when the month's requests are used up, and when nothing answers", async () => {
      const { account, profile } = await newMember("Scant", "scant");
      const { page } = await openTab(profile);
      await open(page, "explore/funding");
      await found(page, "729");
      // The month's quota, and the pool that the dashboard's requests come out of first.
      await queues.redis.hset(accountRedisKeys(service.namespace, account).month, { used: 1, own: 1000 });
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
    test("of a company shows its rounds, the reasons of its signals, and points that sum to the score", async () => {
      const { page, wrong } = await tab();
      await open(page, "explore/companies?q=Alderbrook");
      await page.getByRole("link", { name: "Alderbrook Bio" }).click();
      await page.getByRole("heading", { level: 1, name: "Alderbrook Bio" }).waitFor();
      await page.getByText("At least 1 technology tagged AI").waitFor();
      await expect.poll(() => page.title()).toBe("Alderbrook Bio · Tranche");
      await page.getByText("How these make the score").click();
      const table = page.getByRole("region", { name: "Signals and their points" });
      const points = await table.locator("tbody tr").evaluateAll((rows) =>
        // eslint-disable-next-line typescript/no-explicit-any
        (rows as any[]).map((row) => Number(row.cells[3].innerText.replace("−", "-"))),
      );
      const score = Number(await table.locator("tfoot .number").innerText());
      expect(points.reduce((sum, one) => sum + one, 0)).toBeCloseTo(score, 6);
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole("link", { name: "Bellwater Capital" }).first().click();
      await page.getByRole("heading", { level: 1, name: "Bellwater Capital" }).waitFor();
      await page.getByRole("table", { name: "Invests with" }).waitFor();
      expect(await page.getByRole("table", { name: "Invests with" }).getByText("Bellwater Capital").count()).toBe(0);
      await page.getByRole("link", { name: "Earlier rounds" }).click();
      await page.getByRole("link", { name: "Newest rounds" }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      // An address has ids alone.
      await open(page, "explore/funding?investors=inv-showcase-bellwater-capital");
      await chip(page, "Investors").getByText("Bellwater Capital").waitFor();
      expect(wrong).toEqual([]);
    });

    test("of an id that nobody has leads to the list, with its words as a name", async () => {
      const { page, wrong } = await tab();
      await open(page, "companies/co-showcase-ochretarn");
      await page.getByRole("heading", { name: "There is no such company" }).waitFor();
      await open(page, "companies/ochretarn-bia");
      await page.getByRole("link", { name: "Search companies for “ochretarn bia”" }).click();
      await page.waitForURL(/q=ochretarn%20bia/);
      await open(page, "companies/%E0%A4%A");
      await page.getByRole("heading", { name: "There is no such page" }).waitFor();
      await open(page, `investors/${encodeURIComponent("<img src=x onerror=alert(1)>/..")}`);
      await page.getByRole("heading", { level: 1, name: "There is no such" }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(wrong).toEqual([]);
    });
  });

  test("a search is saved, counted, opened, renamed and deleted", async () => {
    const { page, wrong, asked } = await listening();
    await open(page, "explore/funding?country=US,!DE&sort=amount_desc&limit=20&view=json");
    await found(page, "140");
    await page.getByRole("button", { name: "Save this search" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("x".repeat(121));
    expect(await dialog.getByLabel("Name").inputValue()).toHaveLength(120);
    await dialog.getByLabel("Name").fill("<b>Large</b> in the US");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    const before = asked.length;
    await dialog.getByRole("link", { name: "Saved searches" }).click();

    await page.getByRole("heading", { level: 1, name: "Saved searches" }).waitFor();
    const row = page.getByRole("listitem").filter({ hasText: "<b>Large</b> in the US" });
    await row.getByText("140 rows").waitFor();
    expect(asked.slice(before)).toContain("funding?country=US,!DE&sort=amount_desc&limit=1");
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

    const countries = await filter(page, "Countries");
    await countries.getByRole("button", { name: "Remove Germany" }).click();
    await page.waitForURL(/country=US&/);
    await page.keyboard.press("Escape");
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

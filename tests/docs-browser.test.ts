import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { DECISIONS, PAGES as WRITTEN } from "../web/docs/build/doors.ts";
import {
  accessibilityProblems,
  describeInBrowser,
  expectNoSidewaysScroll,
  openPage,
  PHONE,
  problemsOn,
  show,
  WIDE,
} from "./support/browser.ts";
import { DOCUMENT } from "./support/documented.ts";
import { sized } from "./support/sized.ts";
import { withShowcase } from "./support/with-service.ts";

const OPERATIONS = Object.values(DOCUMENT.paths).map(({ get }) => `/docs/reference/${get.operationId}`);
const PAGES = [...WRITTEN.map(({ path }) => path), DECISIONS.path, "/docs/reference", ...OPERATIONS];
/** One page of each kind: to look for all rules on every page takes a minute. */
const OF_EACH_KIND = ["/docs", "/docs/start", "/docs/filters", DECISIONS.path, "/docs/reference", OPERATIONS[0]!];
const LOOKED_AT = sized(OF_EACH_KIND, PAGES);
/** Two wide screens of 900 pixels. */
const TWO_SCREENS = 1800;

/** Status and time of the answer. A machine that is too busy for Redis has 503 for a moment: then the request is sent again. */
async function answered(page: Page): Promise<string> {
  for (;;) {
    const status = await page
      .getByRole("status")
      .getByText(/^\d{3}/)
      .textContent();
    if (!status!.startsWith("503")) return status!;
    await page.getByRole("button", { name: "Send" }).click();
  }
}

describeInBrowser("the docs in a browser", (browser) => {
  const { service } = withShowcase();
  let key: string;

  beforeAll(async () => {
    key = await service.key();
  });

  const address = (path: string) => service.base.replace("/api/v1", path);
  const heightOf = (page: Page, selector: string) =>
    page.evaluate<number>(`document.querySelector("${selector}").getBoundingClientRect().height`);

  test("no page breaks a rule of accessibility, asks another host or is wider than the screen; operations fit on two", async () => {
    const tab = await openPage(browser());
    const { page, wrong } = tab;
    const heights: Record<string, number> = {};
    for (const path of PAGES) {
      await show(page, PHONE);
      await page.goto(address(path));
      await page.getByRole("button", { name: /^Theme/ }).waitFor();
      if (LOOKED_AT.includes(path)) expect([path, await problemsOn([PHONE, WIDE], tab)]).toEqual([path, []]);
      else {
        for (const screen of [PHONE, WIDE]) {
          await show(page, screen);
          await expectNoSidewaysScroll(page);
        }
      }
      if (OPERATIONS.includes(path)) heights[path] = await heightOf(page, "article");
    }
    expect(Object.entries(heights).filter(([, px]) => px > TWO_SCREENS)).toEqual([]);
    expect(Object.keys(heights)).toEqual(OPERATIONS);
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  test("an operation is tried with a key: code and answer follow the form", async () => {
    const { page, wrong } = await openPage(browser());
    await page.goto(address("/docs/reference/listFundingRounds"));
    await page.getByLabel("API key").fill(key);
    await page.getByLabel("country", { exact: true }).fill("DE,!AT");
    await page.getByLabel("limit", { exact: true }).fill("1");
    const request = page.getByRole("tabpanel", { name: "curl" });
    expect(await request.textContent()).toContain(`${service.base}/funding?country=DE,!AT&limit=1'`);
    await page.getByRole("tab", { name: "Python" }).click();
    expect(await page.getByRole("tabpanel", { name: "Python" }).textContent()).toContain("country=DE,!AT&limit=1");
    await page.getByRole("button", { name: "Send" }).click();
    expect(await answered(page)).toMatch(/^200/);
    expect(await page.locator("#body").textContent()).toContain('"count": 52');
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.goto(address("/docs/reference/getCompany"));
    await page.getByLabel("id", { exact: true }).fill("there is <b>none</b>");
    await page.getByRole("button", { name: "Send" }).click();
    expect(await answered(page)).toMatch(/^404/);
    expect(await page.locator("#body b").count()).toBe(0);
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  test("a wrong key is answered with the error, and no answer with words", async () => {
    const { page } = await openPage(browser());
    await page.goto(address("/docs/reference/getUsage"));
    await page.getByLabel("API key").fill("trn_wrong");
    await page.getByRole("button", { name: "Send" }).click();
    expect(await answered(page)).toMatch(/^401/);
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("The service can't be reached.").waitFor();
    await page.context().close();
  });

  test("a key from a link is in the examples, out of the address, and sends the requests that are clicked", async () => {
    const { page, wrong } = await openPage(browser());
    await page.goto(address(`/docs/start#key=${key}`));
    await page.getByRole("button", { name: "Your key ✓" }).waitFor();
    expect(page.url()).toBe(address("/docs/start"));
    const example = page.locator(".tabs .code").first();
    expect(await example.textContent()).toContain(`Bearer ${key}"`);
    await page.goto(address("/docs/tasks"));
    await page.getByRole("link", { name: "/funding?deal_types=seed" }).click();
    expect(await answered(page)).toMatch(/^200/);
    expect(await page.locator("#body").textContent()).toContain('"deal_types": [');
    expect(await page.getByRole("tabpanel", { name: "curl" }).textContent()).toContain(`Bearer ${key}"`);
    // An address with parameters that nobody clicked here only fills the form.
    await page.goto(address("/docs/reference/listFundingRounds?deal_types=angel"));
    await page.getByRole("button", { name: "Your key ✓" }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Forget it" }).click();
    expect(await page.getByRole("tabpanel", { name: "curl" }).textContent()).toContain("Bearer $KEY");
    expect(await page.getByLabel("deal_types", { exact: true }).inputValue()).toBe("angel");
    expect(await page.locator("#status").textContent()).toBe("example");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("status").getByText("needs a key").waitFor();
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  test("the search opens by a key, finds parameters and errors, and is left by Escape", async () => {
    const { page, wrong } = await openPage(browser());
    await page.goto(address("/docs"));
    await page.getByRole("button", { name: /^Search/ }).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("quota exc");
    await page.getByRole("option", { name: /quota_exceeded/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("combobox").fill("quota_exceeded");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/errors#quota_exceeded$/);
    await page.getByRole("button", { name: /^Search/ }).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("xqzzy");
    await page.getByText("Nothing matches.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("combobox").waitFor({ state: "detached" });
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  test("a theme that was chosen is there before the next page is drawn", async () => {
    const { page } = await openPage(browser(), { theme: "light" });
    await page.goto(address("/docs/start"));
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    // As a reader does: to an address that is typed, Chromium may take another process, which may not know the choice yet.
    await page.getByRole("link", { name: "Paging and cursors" }).first().click();
    await page.waitForURL(/\/docs\/paging$/, { waitUntil: "commit" });
    await page.waitForSelector("h1");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.context().close();
  });

  test("on a phone all pages are in a menu", async () => {
    const { page } = await openPage(browser(), { width: 390 });
    await page.goto(address("/docs/start"));
    await page.getByRole("button", { name: "All pages" }).click();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Paging and cursors" }).click();
    await page.waitForURL(/\/docs\/paging$/);
    await page.context().close();
  });
});

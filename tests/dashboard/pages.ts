import { expect, test } from "vitest";
import { accessibilityProblems, openTab, PHONE, problemsOn, show, type WatchedPage, WIDE } from "../support/browser.ts";
import { DASHBOARD_PAGES, type SitePage, visit } from "../support/pages.ts";
import { sized } from "../support/sized.ts";
import type { Site } from "./site.ts";

/** Further pages of an account with the showcase: the other views, and a company and an investor with more to show. */
const MORE_PAGES: readonly SitePage[] = [
  { name: "charts of signals", path: "/dashboard/explore/signals?view=charts", ready: "Companies by score" },
  { name: "companies as JSON", path: "/dashboard/explore/companies?view=json", ready: '"filters_applied"' },
  { name: "code for investors", path: "/dashboard/explore/investors?view=code", ready: "Python" },
  { name: "other company", path: "/dashboard/companies/co-showcase-ochretarn-bio", ready: "Ochretarn Bio" },
  { name: "other investor", path: "/dashboard/investors/bellwater-capital", ready: "Bellwater Capital" },
];
const ALL_PAGES = [...DASHBOARD_PAGES, ...MORE_PAGES];
/** A table, charts, a form, a record and a page without a session: what is common to all is on them. */
const OF_EACH_KIND = ALL_PAGES.filter(({ name }) =>
  ["overview", "keys", "explore", "explore-charts", "company", "unsubscribe"].includes(name),
);
/** Pages that look different where there is nothing yet. */
const EMPTY_PAGES = DASHBOARD_PAGES.filter(({ name }) =>
  ["overview", "keys", "usage", "searches", "webhooks"].includes(name),
);

export function testPages({ service, tab, newMember }: Site): void {
  /** What axe finds on each page, on a phone and, where it is one of `alsoWide`, on a wide screen; and what went wrong there. */
  async function problems(opened: WatchedPage, pages: readonly SitePage[], alsoWide: readonly SitePage[] = pages) {
    const found: Record<string, string[]> = {};
    for (const page of pages) {
      await show(opened.page, PHONE);
      await visit(opened.page, service.dashboard, page);
      const breaks = await problemsOn(alsoWide.includes(page) ? [PHONE, WIDE] : [PHONE], opened);
      if (breaks.length > 0) found[page.name] = breaks;
    }
    return { found, wrong: opened.wrong };
  }
  const NONE = { found: {}, wrong: [] };

  test("axe finds nothing on pages, and none is wider than the screen", async () => {
    expect(await problems(await tab(), ALL_PAGES, sized(OF_EACH_KIND, ALL_PAGES))).toEqual(NONE);
    const { profile } = await newMember("New");
    expect(await problems(await openTab(profile), EMPTY_PAGES)).toEqual(NONE);
  });

  test("a page whose script does not come says so, and is there when it is tried again", async () => {
    const { page, wrong } = await tab();
    await page.goto(service.dashboard);
    await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();
    await page.route(/\/assets\/sessions-/, (route) => route.abort());
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.getByRole("heading", { level: 1, name: "This page can't be loaded" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.unroute(/\/assets\/sessions-/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
    expect(wrong).toEqual([]);
  });
}

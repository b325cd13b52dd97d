import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OUTPUT } from "../../web/sources.ts";
import { dashboardSite, type Member } from "../dashboard/site.ts";
import { describeInBrowser, newProfile, openTab } from "../support/browser.ts";
import { DASHBOARD_PAGES } from "../support/pages.ts";

const MOST_SCRIPT_BYTES = 60_000;
const MOST_PAINT_MS = 300;
const MOST_FILTER_MS = 300;
const MOST_SKELETON_MS = 1500;
/** As Chromium's developer tools have it: 400 kbit/s, and 400 ms for each request. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
/** The middle one of so many loads counts. */
const LOADS = 5;

const TYPES = ["seed", "series_a", "series_b", "series_c_plus", "grant", "angel", "pre_seed", "debt"];

/** What pages take in a browser, one after another: each figure is printed, and compared with what it may be. */
describeInBrowser("the speed of pages", (browser) => {
  const { service, newMember } = dashboardSite(browser);
  let ada: Member;
  const figures: Record<string, string> = {};
  const open = (path: string) => new URL(path, service.dashboard).href;

  beforeAll(async () => {
    ada = await newMember();
  });
  afterAll(() => console.log(JSON.stringify(figures, null, 2)));

  test.each(DASHBOARD_PAGES)("$name: its first script, gzipped, and its first paint", async ({ name, path, ready }) => {
    const paints: number[] = [];
    let [first, all] = [0, 0];
    for (let load = 0; load < LOADS; load++) {
      const { page, quiet } = await openTab(ada.profile);
      await page.goto(open(path));
      await page.getByText(ready).first().waitFor({ state: "attached" });
      await quiet();
      paints.push(await firstPaint(page));
      first = gzipped(join(OUTPUT, (await page.locator("script[src]").getAttribute("src"))!));
      all = (await scriptsOf(page)).reduce((sum, file) => sum + gzipped(file), 0);
    }
    figures[name] = `first script ${first} bytes, all ${all}, first paint after ${Math.round(middle(paints))} ms`;
    expect(first).toBeLessThanOrEqual(MOST_SCRIPT_BYTES);
    expect(middle(paints)).toBeLessThanOrEqual(MOST_PAINT_MS);
  });

  test("the answer to a changed filter is drawn", async () => {
    const { page } = await openTab(ada.profile);
    const times: number[] = [];
    for (const type of TYPES) {
      await page.goto(open(`/dashboard/explore/funding?country=US&deal_types=${type}`));
      await page.getByText(/ found$/).waitFor();
      await page.getByRole("button", { name: "Clear Countries" }).waitFor();
      times.push(await page.evaluate(FILTER_IS_CLEARED));
    }
    figures["a changed filter"] = `${Math.round(middle(times))} ms, at most ${Math.round(Math.max(...times))} ms`;
    expect(middle(times)).toBeLessThanOrEqual(MOST_FILTER_MS);
  });

  const slowly = [
    ["signed in, the overview", "/dashboard", true],
    ["signed in, Explore", "/dashboard/explore/funding", true],
    ["signed in, charts", "/dashboard/explore/funding?view=charts", true],
    ["signed out", "/dashboard/explore/funding", false],
  ] as const;
  test.each(slowly)("%s: skeletons on a slow line", async (name, path, isSignedIn) => {
    const times: number[] = [];
    for (let load = 0; load < LOADS; load++) {
      const profile = await newProfile(browser());
      if (isSignedIn) await profile.addCookies(await ada.profile.cookies());
      const page = await profile.newPage();
      const line = await profile.newCDPSession(page);
      await line.send("Network.enable");
      await line.send("Network.emulateNetworkConditions", SLOW_3G);
      await page.addInitScript(WATCH_SKELETONS);
      await page.goto(open(path), { waitUntil: "commit" });
      times.push(await page.evaluate<number>("window.skeletonsAfter"));
      await profile.close();
    }
    figures[`skeletons, ${name}`] = `${Math.round(middle(times))} ms, at most ${Math.round(Math.max(...times))} ms`;
    expect(Math.max(...times)).toBeLessThanOrEqual(MOST_SKELETON_MS);
  });
});

const gzipped = (file: string) => gzipSync(readFileSync(file)).length;
const middle = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

const firstPaint = (page: Page) =>
  page.evaluate<number>(`performance.getEntriesByName("first-contentful-paint")[0].startTime`);

/** The built files of the scripts that a page has loaded. */
async function scriptsOf(page: Page): Promise<string[]> {
  const names = `performance.getEntriesByType("resource").map(({ name }) => name)`;
  const urls = await page.evaluate<string[]>(names);
  return [...new Set(urls.map((url) => new URL(url).pathname))]
    .filter((path) => path.endsWith(".js"))
    .map((path) => join(OUTPUT, path));
}

/** From the click on the × of a filter until the number of rows is drawn. */
const FILTER_IS_CLEARED = `new Promise((drawn) => {
  const results = document.querySelector(".results");
  const start = performance.now();
  document.querySelector("[aria-label='Clear Countries']").click();
  let began = false;
  const look = () => {
    const busy = results.ariaBusy === "true";
    began ||= busy;
    if (began && !busy) requestAnimationFrame(() => drawn(performance.now() - start));
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Skeletons have a height once the style sheet is there, and frames are drawn only then. */
const WATCH_SKELETONS = `window.skeletonsAfter = new Promise((drawn) => {
  const look = () => {
    const one = document.querySelector(".skeleton > span[aria-hidden]");
    if (one !== null && one.getBoundingClientRect().height > 10) drawn(performance.now());
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});`;

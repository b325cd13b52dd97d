import { existsSync, readFileSync } from "node:fs";
import type { AxeResults } from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";

/** The shell without the browser's own windows comes first: it takes a third of the CPU time. */
const CANDIDATES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** The browser of this machine; undefined when it has none. TRANCHE_CHROMIUM names another one. */
export function findChromium(): string | undefined {
  return [process.env["TRANCHE_CHROMIUM"], ...CANDIDATES].find((path) => path !== undefined && existsSync(path));
}

/** A `describe` for tests that need a browser. Without one, its tests are skipped and the reason is printed. */
export function describeInBrowser(name: string, tests: (browser: () => Browser) => void): void {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    console.log(
      `skipped: ${name}: there is no Chromium (apt-get install chromium-headless-shell, or set TRANCHE_CHROMIUM)`,
    );
  }
  describe.skipIf(executablePath === undefined)(name, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch(executablePath!);
    });
    afterAll(async () => {
      await browser?.close();
    });
    tests(() => browser);
  });
}

/** Chromium refuses its sandbox to root, as whom containers run. Where there is no graphics card, imitating one costs more than drawing without. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  // With RenderDocument as usual, Chromium says that it closes a tab in which a page arrives, and does not: https://crbug.com/536385539.
  // This replaces Playwright's own list, whose first entry is kept.
  "--enable-features=CDPScreenshotNewSurface,RenderDocument:level/crashed-frame",
];

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ARGUMENTS });

export type Theme = "light" | "dark";
export type Screen = { width?: number; theme?: Theme };

/** A page, and what a test learns of it beside what it shows. */
export type WatchedPage = {
  page: Page;
  /** What went wrong: script errors, policy violations, requests to other hosts. */
  wrong: string[];
  /** Waits until no request is under way and the answers are drawn. Playwright's "networkidle" takes half a second more. */
  quiet: () => Promise<void>;
};

const PROFILE: BrowserContextOptions = {
  reducedMotion: "reduce",
  permissions: ["clipboard-read", "clipboard-write"],
};
const sizeOf = (width: number) => ({ width, height: width < 600 ? 844 : 900 });

/** A browser profile: its tabs share cookies and the cache. */
export const newProfile = (browser: Browser): Promise<BrowserContext> => browser.newContext(PROFILE);

/** The screens on which pages are looked at. The phone finds most, so they are loaded on it. */
export const PHONE = { width: 390, theme: "dark" } as const satisfies Screen;
export const WIDE = { width: 1280, theme: "light" } as const satisfies Screen;

/** Shows a page on another screen, without loading it again. */
export async function show(page: Page, { width, theme }: Required<Screen>): Promise<void> {
  await page.setViewportSize(sizeOf(width));
  await page.emulateMedia({ colorScheme: theme });
}

/** A page of a browser profile of its own. */
export async function openPage(browser: Browser, { width = 1280, theme = "light" }: Screen = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ ...PROFILE, viewport: sizeOf(width), colorScheme: theme });
  return watched(await context.newPage());
}

/** A tab of a profile that other tests use, too. It is closed when the test has ended. */
export async function openTab(
  profile: BrowserContext,
  { width = 1280, theme = "light" }: Screen = {},
): Promise<WatchedPage> {
  const page = await profile.newPage();
  onTestFinished(() => page.close());
  await show(page, { width, theme });
  return watched(page);
}

function watched(page: Page): WatchedPage {
  page.setDefaultTimeout(15_000);
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(`script error: ${error.message}`));
  page.on("console", (message) => {
    if (/Content Security Policy|Content-Security-Policy/.test(message.text())) wrong.push(message.text());
  });
  const underWay = new Set<Request>();
  page.on("request", (request) => {
    underWay.add(request);
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1" && hostname !== "localhost")
      wrong.push(`request to another host: ${request.url()}`);
  });
  page.on("requestfinished", (request) => underWay.delete(request));
  page.on("requestfailed", (request) => underWay.delete(request));
  const quiet = async () => {
    // A request may begin only after the frame that an answer is drawn in.
    for (let times = 0; times < 2; times = underWay.size > 0 ? 0 : times + 1)
      await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  };
  return { page, wrong, quiet };
}

/** Of its scripts the small one: each page reads it anew. */
const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** What axe finds on a page: rule, and the elements that break it. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { resultTypes: ["violations"], preload: { assets: ["media"] } })`,
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 5)
        .map((node) => node.target.join(" "))
        .join(", ")}`,
  );
}

/** What axe finds on a page that is there, on each of these screens; none may be too narrow for it. */
export async function problemsOn(
  screens: readonly Required<Screen>[],
  { page, quiet }: WatchedPage,
): Promise<string[]> {
  const found: string[] = [];
  for (const screen of screens) {
    await show(page, screen);
    await quiet();
    found.push(...(await accessibilityProblems(page)).map((problem) => `at ${screen.width} px: ${problem}`));
    await expectNoSidewaysScroll(page);
  }
  return found;
}

/** No page may be wider than the screen. Tables scroll inside their own box. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widthOf = (which: string) => page.evaluate<number>(`document.documentElement.${which}`);
  const [content, screen] = [await widthOf("scrollWidth"), await widthOf("clientWidth")];
  expect(content, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(screen);
}

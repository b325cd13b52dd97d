import { existsSync } from "node:fs";
import axe, { type AxeResults } from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";

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

/** Chromium refuses its sandbox to root, as whom containers run. */
export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

export type Theme = "light" | "dark";

/** A page of a browser profile of its own, and what went wrong on it: script errors, policy violations, requests to other hosts. */
export async function openPage(
  browser: Browser,
  { width = 1280, theme = "light" }: { width?: number; theme?: Theme } = {},
): Promise<{ page: Page; wrong: string[] }> {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: theme,
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(`script error: ${error.message}`));
  page.on("console", (message) => {
    if (/Content Security Policy|Content-Security-Policy/.test(message.text())) wrong.push(message.text());
  });
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1" && hostname !== "localhost")
      wrong.push(`request to another host: ${request.url()}`);
  });
  return { page, wrong };
}

/** What axe finds on a page: rule, and the elements that break it. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, { resultTypes: ["violations"] })`);
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 5)
        .map((node) => node.target.join(" "))
        .join(", ")}`,
  );
}

/** No page may be wider than the screen. Tables scroll inside their own box. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widthOf = (which: string) => page.evaluate<number>(`document.documentElement.${which}`);
  const [content, screen] = [await widthOf("scrollWidth"), await widthOf("clientWidth")];
  expect(content, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(screen);
}

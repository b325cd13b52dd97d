import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BrowserContext, Page } from "playwright-core";
import { findChromium, launch, type Theme } from "../support/browser.ts";
import { DASHBOARD_PAGES, DOCS_PAGES, OPERATORS_PAGES, type SitePage, visit } from "../support/pages.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

/*
 * Takes pictures of every page of a running `TRANCHE_WEBHOOK_TARGETS=any npm start` with the showcase, light and dark, for desks, tablets and
 * phones, into `.tranche/screenshots`. The two of the README are copied to `docs/images` by hand.
 * npm run -s screenshots -- --sign-in LINK --operators URL --token TOKEN --api URL
 */
const { values } = parseArgs({
  options: {
    "sign-in": { type: "string" },
    operators: { type: "string" },
    token: { type: "string" },
    api: { type: "string" },
    to: { type: "string", default: join(import.meta.dirname, "../../.tranche/screenshots") },
  },
});
const { "sign-in": signIn, operators, token, api, to } = values;
if (!signIn || !operators || !token || !api) {
  console.error(
    "Give --sign-in, --operators, --token and --api, as `TRANCHE_WEBHOOK_TARGETS=any npm start` prints them.",
  );
  process.exit(2);
}
const chromium = findChromium();
if (!chromium) {
  console.error("There is no Chromium: apt-get install chromium, or set TRANCHE_CHROMIUM.");
  process.exit(1);
}

const SIZES = [
  { width: 1280, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const;
const THEMES: readonly Theme[] = ["light", "dark"];

rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
const browser = await launch(chromium);

const first = await browser.newContext();
const entrance = await first.newPage();
await entrance.goto(signIn);
await entrance.getByRole("button", { name: "Sign in", exact: true }).click();
await entrance.waitForURL(/\/dashboard$/);
for (const [name, path] of [
  ["German seed rounds since 2012", "funding?country=DE&deal_types=seed&from=2012-01-01"],
  ["Hiring, and not laying off", "signals?signal=hiring,!layoffs"],
]) {
  await entrance.goto(new URL(`/dashboard/explore/${path}`, signIn).href);
  await entrance.getByRole("button", { name: "Save this search" }).click();
  await entrance.getByRole("dialog").getByLabel("Name").fill(name!);
  await entrance.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await entrance.getByText("Saved.").waitFor();
}
const webhook = await webhookWithDeliveries(entrance);
await entrance.goto(`${operators}/operators/sign-in`);
await entrance.getByLabel(/token/i).fill(token);
await entrance.getByRole("button", { name: /sign in/i }).click();
await entrance.waitForURL(/\/operators\/?$/);
const storageState = await first.storageState();
await first.close();

for (const viewport of SIZES) {
  for (const colorScheme of THEMES) {
    const context = await browser.newContext({ viewport, colorScheme, storageState, reducedMotion: "reduce" });
    const suffix = `${colorScheme}-${viewport.width}`;
    await pictures(context, "dashboard", new URL(signIn).origin, [...DASHBOARD_PAGES, webhook], suffix);
    await pictures(context, "operators", operators, OPERATORS_PAGES, suffix);
    await pictures(context, "docs", api, DOCS_PAGES, suffix);
    await context.close();
  }
}
await browser.close();

/** Creates a webhook, waits for its first deliveries to a receiver that accepts them, and returns its page. */
async function webhookWithDeliveries(page: Page): Promise<SitePage> {
  const receiver = await startReceiver();
  await page.goto(new URL("/dashboard/webhooks?create&list=funding&query=country%3DDE", signIn).href);
  await page.getByLabel("Name").fill("German rounds");
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByLabel("Begin").selectOption("start");
  await page.getByRole("button", { name: "Create the webhook" }).click();
  const [secret] = await page.getByRole("dialog").locator("pre").allTextContents();
  receiver.secrets.push(secret!);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "German rounds" }).click();
  await page.getByRole("button", { name: "Ask the receiver" }).click();
  while (receiver.changes().length === 0) await page.waitForTimeout(100);
  await page.reload();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.waitForTimeout(1000);
  await receiver.close();
  return { name: "webhook", path: new URL(page.url()).pathname, ready: "Deliveries" };
}

async function pictures(
  context: BrowserContext,
  site: string,
  origin: string,
  pages: readonly SitePage[],
  suffix: string,
) {
  for (const each of pages) {
    const page = await context.newPage();
    const start = performance.now();
    await visit(page, origin, each);
    const ms = Math.round(performance.now() - start);
    await page.waitForLoadState("networkidle");
    const file = join(to, `${site}-${each.name}-${suffix}.png`);
    await page.screenshot({ path: file });
    await page.close();
    console.log(`${file} (its text was there after ${ms} ms)`);
  }
}

// A fourth of the bytes, where the tool is there.
try {
  execFileSync("pngquant", [
    "--force",
    "--ext",
    ".png",
    "--speed",
    "1",
    "--skip-if-larger",
    "64",
    "--",
    ...readdirSync(to).map((name) => join(to, name)),
  ]);
} catch (error) {
  console.log(`the pictures are not made smaller: ${(error as Error).message.split("\n")[0]}`);
}

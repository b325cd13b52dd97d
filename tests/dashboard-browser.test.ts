import { SAMPLE_NOW, SHOWCASE_FILE } from "../infra/start/sample.ts";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { accessibilityProblems, describeInBrowser, expectNoSidewaysScroll, openPage } from "./support/browser.ts";
import { DASHBOARD_PAGES } from "./support/pages.ts";
import { withService } from "./support/with-service.ts";

describeInBrowser("the dashboard in a browser", (browser) => {
  const { service } = withService({ now: SAMPLE_NOW, start: ["indexer", "api"] });

  beforeAll(async () => {
    await service.startDashboard();
    expect(await service.ops(["ingest", SHOWCASE_FILE, "--wait"])).toMatchObject({ code: 0 });
  });

  async function newLink(name: string): Promise<string> {
    const made = await service.ops(["accounts", "create", "--name", name, "--plan", "growth", "--json"]);
    const { id } = JSON.parse(made.stdout) as { id: string };
    const wanted = ["accounts", "sign-in-link", "--account", id, "--email", "ada@example.com", "--json"];
    return (JSON.parse((await service.ops(wanted)).stdout) as { url: string }).url;
  }

  async function signIn(page: Page, name: string): Promise<void> {
    await page.goto(await newLink(name));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }

  test("a link signs in once, by a button, and a name with markup is shown as text", async () => {
    const link = await newLink("Ada & <b>Sons</b>");
    const { page, wrong } = await openPage(browser());
    await page.goto(link);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Ada & <b>Sons</b>" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Tranche" }).waitFor();

    await page.goto("about:blank");
    await page.goto(link);
    await page.getByText(/was used before/).waitFor();
    expect(wrong).toEqual([]);
  });

  test("a key that is created works as shown, its use is counted, and revoked it opens nothing", async () => {
    const { page, wrong } = await openPage(browser());
    await signIn(page, "Keys & Co");
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Create a key" }).first().click();
    await page.getByLabel("Name").fill("nightly <script>alert(1)</script>");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("Copy the key now.").waitFor();
    await page.getByRole("button", { name: /copy the key/i }).click();
    const key = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(key).toMatch(/^trn_\w{8}_\w{38}$/);
    const command = await page
      .getByText(/^curl -H/)
      .first()
      .textContent();
    const [, sent, url] = /Bearer (\S+)" "(\S+)"/.exec(command!)!;
    const call = async () => (await fetch(url!, { headers: { Authorization: `Bearer ${sent!}` } })).status;
    expect([sent, await call(), await call()]).toEqual([key, 200, 200]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();

    await page.getByRole("link", { name: "Usage" }).click();
    await expect
      .poll(
        async () => {
          await page.getByRole("button", { name: "Refresh" }).click();
          return page.getByText("nightly <script>alert(1)</script>").count();
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(0);

    await page.getByRole("link", { name: "API keys" }).click();
    const item = page.getByRole("listitem").filter({ hasText: "nightly" });
    await item.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke the key" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(call, { timeout: 2000 }).toBe(401);
    expect(wrong).toEqual([]);
  });

  test.each([
    { width: 1280, theme: "light" },
    { width: 390, theme: "dark" },
  ] as const)(
    "axe finds nothing on any page, and none is wider than $width px, $theme",
    async ({ width, theme }) => {
      const { page, wrong } = await openPage(browser(), { width, theme });
      await signIn(page, `Pages ${width} ${theme}`);
      const found: Record<string, string[]> = {};
      for (const { name, path, ready } of DASHBOARD_PAGES) {
        await page.goto(new URL(path, service.dashboard).href);
        await page.getByText(ready).first().waitFor({ state: "attached" });
        await page.waitForLoadState("networkidle");
        const problems = await accessibilityProblems(page);
        if (problems.length > 0) found[name] = problems;
        await expectNoSidewaysScroll(page);
      }
      expect([found, wrong]).toEqual([{}, []]);
    },
    120_000,
  );
});

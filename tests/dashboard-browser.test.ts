import { beforeAll, expect, test } from "vitest";
import { accessibilityProblems, describeInBrowser, expectNoSidewaysScroll, openPage } from "./support/browser.ts";
import { withService } from "./support/with-service.ts";

describeInBrowser("the dashboard in a browser", (browser) => {
  const { service } = withService({ start: ["api"] });

  beforeAll(() => service.startDashboard());

  async function newLink(): Promise<string> {
    const made = await service.ops(["accounts", "create", "--name", "Ada & <b>Sons</b>", "--plan", "growth", "--json"]);
    const { id } = JSON.parse(made.stdout) as { id: string };
    const link = await service.ops([
      "accounts",
      "sign-in-link",
      "--account",
      id,
      "--email",
      "ada@example.com",
      "--json",
    ]);
    return (JSON.parse(link.stdout) as { url: string }).url;
  }

  test("a link signs in once, by a button, and a name with markup is shown as text", async () => {
    const link = await newLink();
    const { page, wrong } = await openPage(browser());
    await page.goto(link);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(/\/dashboard$/);
    await page.getByText("Ada & <b>Sons</b>").first().waitFor();
    expect(await page.content()).not.toContain("<b>Sons</b>");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/sign-in/);

    await page.getByRole("heading", { name: "Sign in to Tranche" }).waitFor();
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByText(/was used before/).waitFor();
    expect(wrong).toEqual([]);
  });

  test("every page fits a phone", async () => {
    const { page } = await openPage(browser(), { width: 390, theme: "dark" });
    await page.goto(await newLink());
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Explore" }).waitFor();
    await expectNoSidewaysScroll(page);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

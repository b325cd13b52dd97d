import { expect, test } from "vitest";
import { accessibilityProblems, openTab } from "../support/browser.ts";
import type { Site } from "./site.ts";
import { fetchUnlessBusy } from "../support/unless-busy.ts";

export function testHome({ service, newMember, accounts, members }: Site): void {
  const saved = (page: Awaited<ReturnType<typeof openTab>>["page"], name: string) =>
    page.getByRole("listitem").filter({ hasText: name });

  test("says what is left to do, until it is done", async () => {
    const { account, profile } = await newMember("Fresh");
    const { page, wrong } = await openTab(profile);
    await page.goto(service.dashboard);
    await page.getByText("0 of 4 done").waitFor();
    await page.getByText(/0 of 1,000,000 requests this month/).waitFor();
    await page.getByRole("link", { name: "Save a search" }).click();
    await page.getByRole("button", { name: "Save this search" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("All rounds");
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    const { key } = await accounts.createKey({ account, name: "first key" });
    await fetchUnlessBusy(`${service.base}/funding?limit=1`, { headers: { Authorization: `Bearer ${key}` } });
    await members.add({ account, email: "bob@example.com", role: "admin" });
    await page.goto(service.dashboard);
    await saved(page, "Save a search: done").waitFor();
    await saved(page, "Invite somebody: done").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Hide" }).click();
    await page.reload();
    await page.getByRole("heading", { name: "Saved searches" }).waitFor();
    expect(await page.getByText("First steps").count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  test("one search finds companies, investors, saved searches and pages, by the keyboard", async () => {
    const { profile } = await newMember("Finder");
    const { page, wrong } = await openTab(profile);
    await page.goto(`${service.dashboard}/usage`);
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: "Search" });
    await field.waitFor();
    await page.getByRole("option", { name: "Webhooks page" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    // With a typing error, and Enter before the answer is there.
    await field.fill("bellwatr");
    await field.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Bellwater Capital" }).waitFor();
    await page.keyboard.press("Control+k");
    await field.fill("memb");
    await page.getByRole("option", { name: "Members page", selected: true }).waitFor();
    await field.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
    // In a field, a slash is a slash.
    const email = page.getByRole("textbox").first();
    await email.fill("a");
    await email.press("/");
    expect(await email.inputValue()).toBe("a/");
    expect(wrong).toEqual([]);
  });
}

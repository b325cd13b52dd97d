import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { accessibilityProblems, openTab } from "../support/browser.ts";
import { withinASecond } from "../support/within-a-second.ts";
import type { Site } from "./site.ts";

const sh = async (command: string) => (await promisify(execFile)("sh", ["-c", command])).stdout;

export function testKeys({ service, tab, newMember, accounts }: Site): void {
  test("a key is created, used as the page says, seen in usage, rotated and revoked", async () => {
    const { page, wrong } = await tab();
    await page.goto(`${service.dashboard}/keys`);
    await page.getByRole("button", { name: "Create a key" }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("The name must not be empty", { exact: false }).waitFor();
    await page.getByLabel("Name").fill("<i>nightly</i> export");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("Copy the key now").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    for (const _ of [1, 2]) await page.keyboard.press("Escape");
    const [key, command] = await page.getByRole("dialog").locator("pre").allTextContents();
    expect(key).toMatch(/^trn_\w{8}_\w{38}$/);
    await page.getByRole("button", { name: "Copy the key" }).click();
    await page.getByText("Copied the key").first().waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(key);
    expect(JSON.parse(await sh(`${command} --silent`))).toMatchObject({ pagination: { count: 729 } });

    await page.getByRole("button", { name: "Done" }).click();
    expect(await page.content()).not.toContain(key);
    const item = page.getByRole("listitem").filter({ hasText: "<i>nightly</i> export" });
    await item.getByText("Works", { exact: true }).waitFor();

    const status = async () =>
      (await fetch(`${service.base}/funding?limit=x`, { headers: { Authorization: `Bearer ${key}` } })).status;
    expect(await status()).toBe(400);
    await page.getByRole("link", { name: "Usage" }).click();
    const invalid = page.getByText("limit must be", { exact: false }).first();
    const used = page.locator("th", { hasText: "<i>nightly</i> export" });
    await expect
      .poll(
        async () => {
          await page.getByRole("button", { name: "Refresh" }).click();
          return (await invalid.isVisible()) && (await used.count()) > 0;
        },
        { timeout: 30_000, interval: 200 },
      )
      .toBe(true);
    await page.getByText("By key as a table").click();
    await page.getByRole("columnheader", { name: "<i>nightly</i> export" }).waitFor();
    await page.locator("canvas").first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole("link", { name: "API keys" }).click();
    await item.getByRole("button", { name: /^Rotate/ }).click();
    await page.getByLabel("For 1 hour more").check();
    await page.getByRole("button", { name: "Rotate the key" }).click();
    await page.getByText("Copy the key now").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    const old = item.filter({ hasText: "Being replaced" });
    await old.getByText("Works until").waitFor();
    await old.getByRole("button", { name: /^Revoke/ }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await status()).toBe(400);
    await old.getByRole("button", { name: /^Revoke/ }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("export” is revoked.").waitFor();
    await withinASecond(status, 401);
    await page.getByText("1 revoked or expired key").click();
    await item.getByText("Revoked", { exact: true }).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  test("without a connection the page says so, and shows what it has", async () => {
    const { account, profile } = await newMember();
    await accounts.createKey({ account, name: "first key" });
    const { page } = await openTab(profile);
    await page.goto(`${service.dashboard}/keys`);
    await page.getByRole("heading", { name: "first key" }).first().waitFor();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("late");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("The service can't be reached.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: "first key" }).first().waitFor();
  });
}

import { EXPIRED, pausedAt } from "@tranche/webhooks/webhook";
import { createWebhookStore } from "@tranche/webhooks/webhook-store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accessibilityProblems, expectNoSidewaysScroll, openPage, openTab } from "../support/browser.ts";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";
import type { Member, Site } from "./site.ts";

/** A seed round of the showcase. */
const SEED_ROUND = "rnd-co-showcase-kestrelvale-travel-2011-09-26";

export function testWebhooks({ service, newMember, newAccount, browser, link, client, names }: Site): void {
  const webhooks = createWebhookStore(client, names.accounts, { actor: "indexer" });
  let ada: Member;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    ada = await newMember();
  });
  afterAll(() => receiver.close());

  test("a webhook is created, gets changes, is tested, sent again, paused, resumed, rotated and deleted", async () => {
    const { page, wrong } = await openTab(ada.profile);
    await page.goto(`${service.dashboard}/webhooks`);
    await page.getByRole("button", { name: "Create a webhook" }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel("Name").fill("<b>Austria</b>");
    await page.getByRole("button", { name: "Add a filter" }).click();
    await page.getByRole("button", { name: "Countries", exact: true }).click();
    const countries = page.getByRole("combobox", { name: "Countries" });
    await countries.fill("Narnia");
    await page.getByRole("option", { name: "Search for 'Narnia' as written" }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    // It closes the filter, and not the dialog around it.
    await countries.press("Escape");
    await page.getByLabel("URL").fill("nowhere");
    await page.getByRole("button", { name: "Create the webhook" }).click();
    await page
      .getByRole("alert")
      .getByText(/Narnia/)
      .waitFor();
    await page.getByRole("button", { name: "Clear Countries" }).click();
    await page.getByRole("button", { name: "Add a filter" }).click();
    await page.getByRole("button", { name: "Countries", exact: true }).click();
    await countries.fill("austria");
    await page.getByRole("option", { name: /^Austria/, selected: true }).waitFor();
    await countries.press("Enter");
    await page.getByRole("button", { name: "Countries: Austria" }).waitFor();
    await countries.press("Escape");
    await page.getByRole("button", { name: "Create the webhook" }).click();
    await page.getByText("is not a URL", { exact: false }).waitFor();
    await page.getByLabel("URL").fill(receiver.url);
    await page.getByLabel("Begin").selectOption("start");
    await page.getByRole("button", { name: "Create the webhook" }).click();
    await page.getByText("Copy the secret now").waitFor();
    const [secret] = await page.getByRole("dialog").locator("pre").allTextContents();
    expect(secret).toMatch(/^whsec_/);
    receiver.secrets.push(secret!);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("link", { name: "<b>Austria</b>" }).click();
    await page.getByRole("button", { name: "Ask the receiver" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    await expect.poll(() => receiver.copy().size).toBe(5);

    await page.reload();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("The receiver answered 200", { exact: false }).waitFor();
    const before = receiver.changes().length;
    await page.getByRole("button", { name: "Send again" }).click();
    await expect.poll(() => receiver.changes().length).toBe(before + 5);
    await page.getByRole("cell", { name: "Sent again" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("Paused by its owner.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "<b>Austria</b>" }).click();
    await page.getByRole("button", { name: "Resume" }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    await page.getByRole("button", { name: "Create a new secret" }).click();
    await page.getByText("Copy the secret now").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("There is no webhook yet").waitFor();
    expect(receiver.unsigned).toEqual([]);
    expect(wrong.filter((line) => !line.includes("400"))).toEqual([]);
  });

  test("a saved search is followed by webhook with its filters, and a receiver that does not answer is asked again", async () => {
    const { page } = await openTab(ada.profile, { width: 390 });
    await page.goto(`${service.dashboard}/webhooks?create&name=Seed&list=funding&query=deal_types%3Dseed`);
    receiver.challenge = "nothing";
    await page.getByRole("group", { name: "Filters" }).getByRole("button", { name: "Deal types: Seed" }).waitFor();
    await page.getByLabel("URL").fill(receiver.url);
    await page.getByRole("button", { name: "Create the webhook" }).click();
    await page.getByText("Copy the secret now").waitFor();
    const [secret] = await page.getByRole("dialog").locator("pre").allTextContents();
    receiver.secrets.push(secret!);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("link", { name: "Seed" }).click();
    await page.getByRole("button", { name: "Ask the receiver" }).click();
    await page.getByText("does not contain the HMAC-SHA256", { exact: false }).first().waitFor();
    await expectNoSidewaysScroll(page);
    receiver.challenge = "answer";
    await page.getByRole("button", { name: "Ask the receiver" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    await page.getByText("The receiver answered 200", { exact: false }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    receiver.status = 500;
    const change = { type: "round", op: "merge", id: SEED_ROUND, source_url: "https://example.com/seed" };
    expect(await service.ops(["ingest", "-", "--wait"], JSON.stringify(change))).toMatchObject({ code: 0 });
    await expect.poll(() => receiver.messages.at(-1)?.status).toBe(500);
    // The failure is recorded after the receiver has answered.
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole("button", { name: "Pause" }).waitFor();
        return page.getByText("Deliveries have failed since", { exact: false }).count();
      })
      .toBe(1);
    receiver.status = 200;
    await page.getByRole("button", { name: "Try again now" }).click();
    await expect.poll(() => receiver.copy().has(SEED_ROUND)).toBe(true);

    await page.reload();
    const rows = page.getByRole("region", { name: "What was sent" }).locator("tbody tr");
    const accepted = rows.filter({ hasText: "Accepted with 200" });
    await accepted.first().waitFor();
    const [all, fine] = [await rows.count(), await accepted.count()];
    await page.getByLabel("Only failures").check();
    await expect.poll(() => rows.count()).toBe(all - fine);
    expect(await rows.filter({ hasText: "does not contain the HMAC-SHA256" }).count()).toBe(1);
    expect(await accepted.count()).toBe(0);
    await page.getByLabel("Only failures").uncheck();
    await expect.poll(() => rows.count()).toBe(all);

    const { webhook_id: id } = (await webhooks.active()).find(({ name }) => name === "Seed")!;
    await webhooks.change(id, "webhook.pause", () => pausedAt(Date.now(), EXPIRED));
    await page.reload();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByLabel("With changes from now on").waitFor();
    expect(await page.getByLabel("With changes from now on").isChecked()).toBe(true);
    expect(await page.getByLabel("Where it stopped").count()).toBe(0);
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
  });

  test("an investor is followed in Slack in the one dialog, and its address is told wrong in its field", async () => {
    const { page } = await openTab(ada.profile);
    await page.goto(`${service.dashboard}/investors/inv-showcase-bellwater-capital`);
    await page.getByRole("button", { name: "Follow Bellwater Capital" }).click();
    const dialog = page.getByRole("dialog", { name: "Follow Bellwater Capital" });
    await dialog.getByRole("radio", { name: /^In Slack/ }).check();
    await dialog.getByLabel("Address of the incoming webhook").fill("hooks.slack.com");
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Follow", exact: true }).click();
    await dialog.getByRole("alert").getByText("This is not an address.").waitFor();
    receiver.messages.length = 0;
    await dialog.getByLabel("Address of the incoming webhook").fill(receiver.url);
    await dialog.getByRole("button", { name: "Follow", exact: true }).click();
    await page.getByText("You follow this in Slack.").waitFor();
    expect(receiver.messages.length).toBe(1);
    await page.getByRole("link", { name: "Change it" }).click();
    await page.getByText(/^In Slack since/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByText("Nobody else follows anything.").waitFor();

    const { page: other } = await openPage(browser());
    await other.goto(`${service.dashboard}/sign-in#${await link(ada.account, "bob@example.com")}`);
    await other.getByRole("button", { name: "Sign in", exact: true }).click();
    await other.getByText("Signed in as bob@example.com").waitFor();
    await other.goto(`${service.dashboard}/follows`);
    await other.getByText(/^ada@example.com · in Slack, every day, since/).waitFor();
    expect(await accessibilityProblems(other)).toEqual([]);
    await other.getByRole("button", { name: "End Bellwater Capital of ada@example.com" }).click();
    expect(await accessibilityProblems(other)).toEqual([]);
    await other.getByRole("dialog").getByRole("button", { name: "End", exact: true }).click();
    await other.getByText("Nobody else follows anything.").waitFor();
    await page.getByRole("button", { name: "Unfollow Bellwater Capital" }).click();
    await page.getByText("You do not follow this any more.").waitFor();
    await page.getByText("You follow nothing yet").waitFor();
  });

  test("a webhook of another account is not found", async () => {
    const create = ["webhooks", "create", "--account", await newAccount("Bob"), "--list", "funding"];
    const other = await service.ops([...create, "--url", receiver.url, "--json"]);
    const { webhook_id } = JSON.parse(other.stdout) as { webhook_id: string };
    const { page } = await openTab(ada.profile);
    await page.goto(`${service.dashboard}/webhooks/${webhook_id}`);
    await page.getByText("This account has no such webhook", { exact: false }).waitFor();
  });
}

import { randomBytes } from "node:crypto";
import { EXPIRED, pausedAt } from "@tranche/webhooks/subscriptions/webhook";
import { createWebhookStore } from "@tranche/webhooks/subscriptions/webhook-store";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accessibilityProblems, describeInBrowser, expectNoSidewaysScroll, openPage } from "./support/browser.ts";
import { type Receiver, startReceiver } from "./support/webhook-receiver.ts";
import { withService } from "./support/with-service.ts";
import { company, round } from "./support/writes.ts";

describeInBrowser("webhooks in a browser", (browser) => {
  const env = { TRANCHE_WEBHOOK_KEY: randomBytes(32).toString("base64"), TRANCHE_WEBHOOK_TARGETS: "any" };
  const { service, queues, client, names } = withService({ start: ["indexer", "api"], env });
  const webhooks = createWebhookStore(client, names.accounts, { actor: "indexer" });
  let account: string;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    await service.startDashboard();
    const made = await service.ops(["accounts", "create", "--name", "Ada", "--plan", "scale", "--json"]);
    account = (JSON.parse(made.stdout) as { id: string }).id;
    await queues.send([company(1, "c1", { country: "DE" }), round(1, "r1", "c1")]);
    await queues.settled();
  });
  afterAll(() => receiver.close());

  async function signIn(options: { width?: number } = {}): Promise<{ page: Page; wrong: string[] }> {
    const to = ["--account", account, "--email", "ada@example.com", "--json"];
    const { url } = JSON.parse((await service.ops(["accounts", "sign-in-link", ...to])).stdout) as { url: string };
    const opened = await openPage(browser(), options);
    await opened.page.goto(url);
    await opened.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await opened.page.waitForURL(/\/dashboard$/);
    return opened;
  }

  test("a webhook is created, gets changes, is tested, sent again, paused, resumed, rotated and deleted", async () => {
    const { page, wrong } = await signIn();
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("button", { name: "Create a webhook" }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel("Name").fill("<b>Germany</b>");
    await page.getByLabel("Filters").fill("country=Narnia");
    await page.getByLabel("URL").fill("nowhere");
    await page.getByRole("button", { name: "Create the webhook" }).click();
    await page.getByText("Narnia", { exact: false }).first().waitFor();
    await page.getByLabel("Filters").fill("country=DE");
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
    await page.getByRole("link", { name: "<b>Germany</b>" }).click();
    await page.getByRole("button", { name: "Ask the receiver" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    await expect.poll(() => receiver.copy().has("r1")).toBe(true);

    await page.reload();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("The receiver answered 200", { exact: false }).waitFor();
    const before = receiver.changes().length;
    await page.getByRole("button", { name: "Send again" }).click();
    await expect.poll(() => receiver.changes().length).toBe(before + 1);
    await page.getByRole("cell", { name: "Sent again" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("Paused by its owner.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "<b>Germany</b>" }).click();
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
    const { page } = await signIn({ width: 390 });
    await page.goto(`${service.dashboard}/webhooks?create&name=Seed&list=funding&query=deal_types%3Dseed`);
    receiver.challenge = "nothing";
    expect(await page.getByLabel("Filters").inputValue()).toBe("deal_types=seed");
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
    await queues.send([round(2, "r2", "c1", { deal_type: "seed" })]);
    await queues.settled();
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
    await expect.poll(() => receiver.copy().has("r2")).toBe(true);

    const { webhook_id: id } = (await webhooks.active()).find(({ name }) => name === "Seed")!;
    await webhooks.change(id, "webhook.pause", () => pausedAt(Date.now(), EXPIRED));
    await page.reload();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByLabel("With what changes from now on").waitFor();
    expect(await page.getByLabel("With what changes from now on").isChecked()).toBe(true);
    expect(await page.getByLabel("Where it stopped").count()).toBe(0);
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
  });

  test("a webhook of another account is not found", async () => {
    const made = await service.ops(["accounts", "create", "--name", "Bob", "--plan", "scale", "--json"]);
    const { id } = JSON.parse(made.stdout) as { id: string };
    const create = ["webhooks", "create", "--account", id, "--list", "funding", "--url", receiver.url, "--json"];
    const other = await service.ops(create);
    const { webhook_id } = JSON.parse(other.stdout) as { webhook_id: string };
    const { page } = await signIn();
    await page.goto(`${service.dashboard}/webhooks/${webhook_id}`);
    await page.getByText("This account has no such webhook", { exact: false }).waitFor();
  });
});

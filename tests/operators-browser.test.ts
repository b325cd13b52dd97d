import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type DeadLetter, QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { buildPages } from "../web/building.ts";
import {
  accessibilityProblems,
  describeInBrowser,
  expectNoSidewaysScroll,
  newProfile,
  openPage,
  openTab,
  PHONE,
  problemsOn,
  type Screen,
  show,
  type WatchedPage,
  WIDE,
} from "./support/browser.ts";
import { OPERATORS_PAGES, visit } from "./support/pages.ts";
import { freePort } from "./support/service.ts";
import { sized } from "./support/sized.ts";
import { withService } from "./support/with-service.ts";
import { withinASecond } from "./support/within-a-second.ts";

const TOKEN = "a-token-of-the-operators";
/** Wide pages are looked at by kind: phones find more. */
const ALSO_WIDE = sized(
  OPERATORS_PAGES.filter(({ name }) => ["health", "accounts", "new-ingest", "queue"].includes(name)),
  OPERATORS_PAGES,
);

describeInBrowser("the operators' pages in a browser", (browser) => {
  const { service, queues } = withService({ start: ["indexer", "api"] });
  let operators: string;
  /** Where an operator is signed in. */
  let profile: BrowserContext;
  let restart: () => Promise<void>;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    await buildPages(() => {});
    const port = String(await freePort());
    const env = { TRANCHE_OPERATOR_PORT: port, TRANCHE_OPERATOR_TOKEN: TOKEN };
    let running = await service.startOperators(env);
    operators = `http://127.0.0.1:${port}/operators`;
    stop = async () => {
      running.kill();
      await once(running, "exit");
    };
    restart = async () => void (running = await service.startOperators(env));
    await service.ops(["accounts", "create", "--name", "Demo", "--plan", "scale"]);
    profile = await newProfile(browser());
    const sent = { data: { token: TOKEN } };
    expect((await profile.request.post(`${operators}/api/sign-in`, sent)).status()).toBe(201);
  });

  /** A tab with the first page. */
  async function start(screen?: Screen): Promise<WatchedPage> {
    const opened = await openTab(profile, screen);
    await opened.page.goto(`${operators}/`);
    await opened.page.getByRole("heading", { name: "Queues" }).waitFor();
    return opened;
  }
  const dialog = (page: Page) => page.getByRole("dialog");
  const isAt = (page: Page, status: string) => page.locator(".badge", { hasText: status }).first().waitFor();

  test("a wrong token is refused in words, the right one opens the pages, signing out closes them", async () => {
    const { page, wrong } = await openPage(browser());
    await page.goto(`${operators}/accounts`);
    await page.waitForURL(/sign-in$/);
    await page.getByLabel(/token/).fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("This is not the operators' token.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel(/token/).fill(TOKEN);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Queues" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/sign-in$/);
    await page.goto(`${operators}/audit`);
    await page.waitForURL(/sign-in$/);
    expect(wrong).toEqual([]);
  });

  test("an account is created, suspended, resumed, throttled and deleted, and its requests are shown; a name with markup is shown as text", async () => {
    const { page, wrong } = await start();
    await page.getByRole("link", { name: "Accounts", exact: true }).first().click();
    await page.getByRole("button", { name: "New account" }).click();
    await dialog(page).getByLabel("Name").fill("Ada & <b>Sons</b>");
    await dialog(page).getByLabel("Plan").selectOption("growth");
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog(page).getByRole("button", { name: "Create the account" }).click();
    const key = await dialog(page).getByText(/^trn_/).textContent();
    await dialog(page).getByRole("button", { name: "Done" }).click();
    const request = () => fetch(`${service.base}/funding?limit=1`, { headers: { authorization: `Bearer ${key}` } });
    const ask = async () => (await request()).status;
    const limit = async () => (await request()).headers.get("x-ratelimit-limit");
    expect(await ask()).toBe(200);

    await page.getByRole("link", { name: "Ada & <b>Sons</b>" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada & <b>Sons</b>" }).waitFor();
    await page.getByRole("button", { name: "Suspend" }).click();
    await dialog(page).getByLabel("Reason").fill("unpaid");
    await dialog(page).getByRole("button", { name: "Suspend" }).click();
    await isAt(page, "suspended");
    await withinASecond(ask, 401);
    await page.getByRole("button", { name: "Resume" }).click();
    await dialog(page).getByRole("button", { name: "Resume" }).click();
    await isAt(page, "active");
    await withinASecond(ask, 200);
    await page.getByText("Requests by day").first().waitFor();

    await page.getByRole("button", { name: "Throttle" }).click();
    await dialog(page).getByLabel("Reason").fill("a loop");
    await dialog(page).getByRole("button", { name: "Lower the limits" }).click();
    await dialog(page).getByText("Give a limit").waitFor();
    await dialog(page).getByLabel("Requests in any 60 seconds").and(page.locator("[aria-invalid]")).fill("300");
    await dialog(page).getByRole("button", { name: "Lower the limits" }).click();
    await dialog(page).getByText("The plan Growth allows 300 requests in 60 seconds").waitFor();
    await dialog(page).getByLabel("Requests in any 60 seconds").fill("250");
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog(page).getByRole("button", { name: "Lower the limits" }).click();
    await isAt(page, "throttled");
    await page.getByRole("button", { name: "Change the throttle" }).click();
    expect(await dialog(page).getByLabel("Reason").inputValue()).toBe("a loop");
    await dialog(page).getByLabel("Requests in any 60 seconds").fill("200");
    await dialog(page).getByRole("button", { name: "Lower the limits" }).click();
    await dialog(page).waitFor({ state: "detached" });
    await withinASecond(limit, "200");
    await page.getByRole("link", { name: "Its requests now" }).click();
    await page.getByRole("cell", { name: "/api/v1/funding" }).waitFor();
    await page.getByRole("cell", { name: "first key" }).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "All requests" }).click();
    await page.getByRole("heading", { name: "Without a key that works" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "Ada & <b>Sons</b>" }).click();
    await page.getByRole("link", { name: /^The account/ }).click();
    await page.getByRole("button", { name: "End the throttle" }).click();
    await dialog(page).getByRole("button", { name: "End the throttle" }).click();
    await dialog(page).waitFor({ state: "detached" });
    await withinASecond(limit, "300");

    await page.getByRole("button", { name: "Delete" }).click();
    const confirm = dialog(page).getByRole("button", { name: "Delete for good" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog(page).getByLabel("Id of the account").fill(page.url().split("/").at(-1)!);
    await confirm.click();
    await isAt(page, "deleted");
    await page.getByRole("link", { name: "What was done to it" }).click();
    await page.getByRole("cell", { name: "account.delete" }).waitFor();
    expect(await page.content()).not.toContain("<b>Sons</b>");
    expect(wrong).toEqual([]);
  });

  test("dead letters are discarded after a confirmation", async () => {
    const reason = "a drill";
    await queues.queue<DeadLetter>(QUEUES.deadLetters).add("document", {
      what: { kind: "document", model: "companies", id: "com-1" },
      reason,
    });
    const { page } = await start();
    await page.getByText("There is 1 dead letter.").waitFor();
    await page.getByRole("link", { name: "Dead letters", exact: true }).click();
    await page.getByText(reason).waitFor();
    await page.getByRole("button", { name: "Discard document com-1 of companies" }).click();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await page.getByText(reason).waitFor();
    await page.getByRole("button", { name: "Discard document com-1 of companies" }).click();
    await dialog(page).getByRole("button", { name: "Discard" }).click();
    await page.getByText("Discarded 1 dead letter.").waitFor();
    await page.getByText("There are no dead letters").waitFor();
  });

  test("failed jobs are looked at and retried", async () => {
    const jobs = queues.queue(QUEUES.investors);
    // No indexer reads such data, so each job fails at once.
    await jobs.addBulk(Array.from({ length: 21 }, () => ({ name: "no such job", data: { a: "<b>drill</b>" } })));
    await expect.poll(() => jobs.getFailedCount()).toBe(21);
    const { page, wrong } = await start();
    await page.getByRole("link", { name: "Queues", exact: true }).click();
    await page.getByRole("link", { name: "investors" }).click();
    await page.getByText("Page 1 of 2").waitFor();
    await page.getByText("Data of job").first().click();
    await page.getByText("<b>drill</b>").first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("Page 2 of 2").waitFor();
    await page.getByRole("button", { name: /^Retry job/ }).click();
    await dialog(page).getByRole("button", { name: "Retry" }).click();
    await page.getByText("Requeued 1 job.").waitFor();
    await page.getByRole("button", { name: "Retry all" }).click();
    await dialog(page).getByRole("button", { name: "Retry" }).click();
    await page.getByText(/Requeued \d+ jobs/).waitFor();
    await expect.poll(() => jobs.getFailedCount()).toBe(21);
    await jobs.clean(0, 0, "failed");
    expect(wrong).toEqual([]);
  });

  test("a file is dropped, understood, corrected and ingested; its run and its mapping are shown", async () => {
    const file = readFileSync(new URL("../docs/examples/deals.csv", import.meta.url));
    const csv = Buffer.concat([file, Buffer.from("Nowhere AG,Germany,Bonn,Food,soon,Seed,1000000,Elbe Ventures,\n")]);
    const { page, wrong } = await start();
    await page.getByRole("link", { name: "Ingests", exact: true }).click();
    await page.getByRole("link", { name: "Ingest a file" }).first().click();
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel(/Drop a CSV/).setInputFiles({ name, mimeType: "text/csv", buffer });
    await choose("deals.csv", Buffer.from("504b030414000000", "hex"));
    await page.getByText(/zip archive: save the sheet as CSV, or unpack the archive\.$/).waitFor();

    await choose("deals.csv", csv);
    await page.getByText("How many US dollars is one unit of EUR?").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const meaning = (await page.getByLabel("The meaning of Website").boundingBox())!;
    expect(meaning.x + meaning.width).toBeLessThanOrEqual(390);
    await expectNoSidewaysScroll(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByText("Amounts are in the currency of the file").waitFor();
    await page.getByRole("cell", { name: /^refused: .*soon/ }).waitFor();
    const ingest = page.getByRole("button", { name: "Ingest deals.csv" });
    expect(await ingest.isDisabled()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel("Or a rate such as EUR=1.1").fill("EUR=2");
    await page.getByRole("button", { name: "Use it" }).click();
    await page.getByRole("cell", { name: "24,000,000" }).waitFor();
    await page.getByLabel("Whole set").fill("deals");
    await page.getByText("The set 'deals' is new, so nothing is deleted now.").waitFor();
    await page.getByText("If one is refused, nothing is deleted.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel("The meaning of Website").selectOption("");
    await page.getByText("domain: none").waitFor();
    await page.getByRole("button", { name: "Take back the answer to domain" }).click();
    await page.getByText("domain: none").waitFor({ state: "detached" });
    await ingest.click();
    await page.waitForURL(/ingests\/run-/);
    await page.getByRole("cell", { name: /'soon' is not a valid date/ }).waitFor();
    await page.locator(".badge", { hasText: /in the queue|done, with refusals/ }).waitFor();
    await page.getByText("Nothing of the set 'deals' was deleted: that needs a file").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "deals@1" }).click();
    await page.getByRole("heading", { name: "deals, version 1" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "Ingests", exact: true }).click();
    await page.getByRole("cell", { name: "deals.csv" }).waitFor();

    await page.getByRole("link", { name: "Ingest a file" }).first().click();
    await choose("deals.csv", file);
    await page.getByText("A changed mapping becomes version 2, and uploads that name 'deals' take it").waitFor();
    await page.getByLabel("Mapping", { exact: true }).selectOption("deals@1");
    await page.getByLabel("Whole set").fill("deals");
    await page
      .getByText(/The set 'deals' has [^.]* round records[^.]*\. Those that this file lacks are deleted/)
      .waitFor();
    await page.getByLabel("More than 20 % of the records").check();
    await page.getByRole("button", { name: "Ingest deals.csv" }).click();
    await page.waitForURL(/ingests\/run-/);
    await page.getByText("deals", { exact: true }).first().waitFor();
    expect(wrong).toEqual([]);
  });

  test("every page is accessible and fits a phone", async () => {
    const tab = await start();
    const { page, wrong } = tab;
    for (const each of OPERATORS_PAGES) {
      await show(page, PHONE);
      await visit(page, operators, each);
      const problems = await problemsOn(ALSO_WIDE.includes(each) ? [PHONE, WIDE] : [PHONE], tab);
      expect([each.path, problems]).toEqual([each.path, []]);
    }
    expect(wrong).toEqual([]);
  });

  test("when the service goes away the last values stay, with a notice; when it is back, so is the page", async () => {
    const { page } = await openTab(profile);
    await page.clock.install();
    await page.goto(`${operators}/`);
    await page.getByRole("heading", { name: "Queues" }).waitFor();
    // It is read again every 5 s.
    const nextReading = () => page.clock.fastForward(5000);
    await stop();
    await nextReading();
    await page.getByText(/These are the values of/).waitFor();
    await page.getByRole("heading", { name: "Queues" }).waitFor();
    await restart();
    await nextReading();
    await page.getByText(/These are the values of/).waitFor({ state: "detached" });
  });
});

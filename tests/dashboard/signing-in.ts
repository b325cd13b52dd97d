import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityProblems, expectNoSidewaysScroll, newProfile, openPage, openTab } from "../support/browser.ts";
import { sized } from "../support/sized.ts";
import type { Site } from "./site.ts";

export function testSigningIn({ service, browser, newAccount, newMember, link, members, accounts }: Site): void {
  const addressOf = (secret: string) => `${service.dashboard}/sign-in#${secret}`;
  const pressSignIn = (page: Page) => page.getByRole("button", { name: "Sign in", exact: true }).click();
  async function signIn(page: Page, account: string, email = "ada@example.com") {
    await page.goto("about:blank");
    await page.goto(addressOf(await link(account, email)));
    await pressSignIn(page);
    await page.waitForURL((url) => !url.pathname.endsWith("/sign-in"));
  }
  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

  test("a link signs in once, by a button, and a name with markup is shown as text", async () => {
    const address = addressOf(await link(await newAccount("Ada & <b>Sons</b>"), "ada@example.com"));
    const { page, wrong } = await openPage(browser());
    await page.goto(address);
    await page.getByText(/This link signs you in/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await pressSignIn(page);
    await heading(page, "Ada & <b>Sons</b>");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Tranche" }).waitFor();

    await page.goto("about:blank");
    await page.goto(address);
    await page.getByText(/was used before/).waitFor();
    expect(wrong).toEqual([]);
  });

  test("a page that needs a session leads to the sign-in page and, after a link in another tab, back in both tabs", async () => {
    const account = await newAccount();
    const { page } = await openPage(browser());
    await page.goto(`${service.dashboard}/members?x=1`);
    await page.waitForURL(/sign-in\?to=/);
    const mailed = await page.context().newPage();
    await mailed.goto(addressOf(await link(account, "ada@example.com")));
    await pressSignIn(mailed);
    for (const tab of [mailed, page]) {
      await tab.waitForURL(/\/dashboard\/members\?x=1$/);
      await heading(tab, "Members");
    }
  });

  test("signing out in one tab signs the other out, which comes back to its page", async () => {
    const { account, profile } = await newMember();
    const [{ page }, { page: other }] = [await openTab(profile), await openTab(profile)];
    await page.goto(service.dashboard);
    await other.goto(`${service.dashboard}/sessions`);
    await heading(other, "Sessions");
    await page.getByRole("button", { name: "Sign out" }).click();
    await other.waitForURL(/sign-in\?to=%2Fdashboard%2Fsessions$/);
    await signIn(page, account);
    await other.waitForURL(/\/dashboard\/sessions$/);
  });

  test("the next request of a session that was ended elsewhere leads to the sign-in page", async () => {
    const { account, profile } = await newMember();
    const { page } = await openTab(profile);
    await page.goto(`${service.dashboard}/sessions`);
    // The page's own request has to be answered first, or it is the one that finds the session ended.
    await page.getByText("(this one)").waitFor();
    await accounts.remove(account);
    await page.getByRole("link", { name: "Members" }).click();
    await page.waitForURL(/sign-in\?to=%2Fdashboard%2Fmembers$/);
    await page.getByText("You need a link").waitFor();
  });

  test("a tab never shows one account with the session of another", async () => {
    const other = await newAccount("Other");
    const { profile } = await newMember("Mine");
    const [{ page }, { page: tab }] = [await openTab(profile), await openTab(profile)];
    await page.goto(service.dashboard);
    await tab.goto(`${service.dashboard}/sessions`);
    await tab.getByText(/is signed in to Mine/).waitFor();
    await signIn(page, other);
    await tab.getByText(/is signed in to Other/).waitFor();
  });

  test("after signing in, the address of another site is not followed", async () => {
    const { page, wrong } = await openPage(browser());
    const secret = await link(await newAccount(), "ada@example.com");
    await page.goto(`${service.dashboard}/sign-in?to=${encodeURIComponent("//evil.example")}#${secret}`);
    await pressSignIn(page);
    await page.waitForURL(service.dashboard);
    expect(wrong).toEqual([]);
  });

  test("a signed-in member sees so, and nonsense for a link is refused", async () => {
    const { page } = await openTab((await newMember()).profile);
    await page.goto(`${service.dashboard}/sign-in`);
    await page.getByText(/You are signed in to Acme as ada@example.com/).waitFor();
    await page.goto("about:blank");
    await page.goto(addressOf("x".repeat(5000)));
    await page.getByText("This link can't be used.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test.each(sized([390], [1280, 390]))(
    "members are invited, get roles and are removed at a width of %i",
    async (width) => {
      const { account, profile } = await newMember("<i>Acme</i>");
      await members.add({ account, email: `${"x".repeat(200)}@example.com`, role: "admin" });
      const { page, wrong } = await openTab(profile, { width });
      await page.goto(`${service.dashboard}/members`);
      await page.getByLabel("E-mail address").fill("<script>alert(1)</script>");
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      await page.getByText("Enter an e-mail address").waitFor();
      await page.getByLabel("E-mail address").fill("bob@example.com");
      await page.getByRole("radio", { name: "Developer" }).check();
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      await page.getByText("bob@example.com is invited, as developer.").waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Invite again bob@example.com" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Invite again" }).click();
      const invitation = await page.getByRole("dialog").getByRole("region", { name: "the invitation" }).innerText();
      expect(invitation.startsWith(`${service.dashboard}/invitation#`)).toBe(true);
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await expectNoSidewaysScroll(page);
      await page.getByRole("button", { name: "Role of bob@example.com" }).click();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole("dialog").getByRole("radio", { name: "Viewer" }).check();
      await page.getByRole("dialog").getByRole("button", { name: "Change the role" }).click();
      await page.getByText(/Viewer · added/).waitFor();

      const bob = await openTab(await newProfile(browser()), { width });
      await bob.page.goto(invitation);
      await bob.page
        .getByText("ada@example.com invites bob@example.com to the account <i>Acme</i> as viewer.")
        .waitFor();
      expect(await accessibilityProblems(bob.page)).toEqual([]);
      await bob.page.getByRole("button", { name: "Accept and sign in" }).click();
      await bob.page.getByText("Signed in as bob@example.com, viewer").waitFor();
      await bob.page.goto(`${service.dashboard}/keys`);
      await bob.page
        .getByText(/API keys are for developers and admins .* You are a viewer. .*ada@example.com/)
        .waitFor();
      expect(await accessibilityProblems(bob.page)).toEqual([]);
      // A role that is lowered in an open tab.
      await members.setRole(account, "bob@example.com", "developer");
      await bob.page.reload();
      await bob.page.getByRole("button", { name: "Create a key" }).first().click();
      await members.setRole(account, "bob@example.com", "viewer");
      await bob.page.getByRole("dialog").getByLabel("Name").fill("mine");
      await bob.page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      await bob.page.getByText(/API keys are for developers and admins .* You are a viewer/).waitFor();
      await bob.page.goto("about:blank");
      await bob.page.goto(invitation);
      await bob.page.getByText("This invitation was used.").waitFor();
      expect(await accessibilityProblems(bob.page)).toEqual([]);
      expect(bob.wrong).toEqual([]);

      await page.getByRole("button", { name: "Remove bob@example.com" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Remove bob@example.com" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await page.getByRole("button", { name: "Remove bob@example.com" }).waitFor({ state: "detached" });
      expect((await members.ofAccount(account)).map(({ email }) => email)).not.toContain("bob@example.com");
      expect(wrong).toEqual([]);
    },
  );

  test("sessions are listed and end", async () => {
    const account = await newAccount();
    const { page } = await openPage(browser(), { width: 390 });
    const { page: other } = await openPage(browser());
    await signIn(page, account);
    await signIn(other, account);
    await page.goto(`${service.dashboard}/sessions`);
    await page.getByText("Chrome on Linux (this one)").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: /^End/ }).click();
    await page.getByRole("button", { name: /^End/ }).waitFor({ state: "detached" });
    await other.goto(`${service.dashboard}/sessions`);
    await other.waitForURL(/sign-in/);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL(/sign-in$/);
  });
}

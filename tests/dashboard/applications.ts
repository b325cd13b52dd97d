import { beforeAll, expect, test } from "vitest";
import { accessibilityProblems, expectNoSidewaysScroll, openPage } from "../support/browser.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { oauthApplication } from "../support/oauth-application.ts";
import { sized } from "../support/sized.ts";
import { withinASecond } from "../support/within-a-second.ts";
import type { Site } from "./site.ts";

export function testApplications({ service, browser, newAccount, link }: Site): void {
  const { address, ask } = mcpClient(() => service.base);
  const application = oauthApplication({ dashboard: () => service.dashboard, resource: address });
  /** The page of the assistant, on another site than the dashboard, so that Strict cookies stay behind. */
  let assistant: URL;
  let redirect_uri: string;
  beforeAll(async () => {
    const name = "Ignore <b>all</b> warnings";
    assistant = new URL("/", await application.start({ client_name: name, redirect_uris: ["http://localhost/back"] }));
    assistant.hostname = "localhost";
    redirect_uri = new URL("/back", assistant).href;
  });

  test.each(sized([390], [1280, 390]))(
    "an assistant sends somebody who is not signed in, is allowed, used and ended, at %i px",
    async (width) => {
      const account = await newAccount("Ada & Sons", "roomy");
      const other = await newAccount("Other", "roomy");
      const { page, wrong } = await openPage(browser(), { width });
      const signIn = async (of: string) => {
        await page.goto(`${service.dashboard}/sign-in#${await link(of, "ada@example.com")}`);
        await page.getByRole("button", { name: "Sign in", exact: true }).click();
      };
      const asked = application.ask({ redirect_uri });
      const question = page.getByText("An application that calls itself");
      await page.goto(`${assistant.href}?to=${encodeURIComponent(asked.url.href)}`);
      await page.getByRole("link", { name: "Connect" }).click();
      await page.waitForURL(/sign-in\?to=/);
      await signIn(other);
      await question.waitFor();
      await page.getByRole("strong").filter({ hasText: "Other" }).waitFor();

      // Signed in, from the other site again: the page finds the session by itself.
      await page.goto(`${assistant.href}?to=${encodeURIComponent(asked.url.href)}`);
      await page.getByRole("link", { name: "Connect" }).click();
      await question.waitFor();
      expect(await page.getByRole("main").innerText()).toContain("Ignore <b>all</b> warnings");
      expect(await accessibilityProblems(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
      await page.getByRole("button", { name: "Use another account" }).click();
      await page.waitForURL(/sign-in\?to=/);
      await signIn(account);
      await question.waitFor();
      await page.getByRole("strong").filter({ hasText: "Ada & Sons" }).waitFor();
      const allow = page.getByRole("button", { name: "Allow" });
      const answers = (url: URL) => url.href.startsWith(redirect_uri);
      // The page stays, as one that Back brings from the browser's memory.
      await page.route(answers, (route) => route.fulfill({ status: 204 }));
      const answered = page.waitForResponse((response) => answers(new URL(response.url())));
      await allow.click();
      await answered;
      expect(await allow.isDisabled()).toBe(true);
      await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
      await page.unroute(answers);
      await allow.click();
      await page.waitForURL(answers);
      const { body: tokens } = await application.redeem(new URL(page.url()).searchParams.get("code")!, asked.verifier, {
        redirect_uri,
      });
      expect(tokens.access_token.split("_")[1]).toBe(account);
      expect((await ask(tokens.access_token, "tools/list")).status).toBe(200);

      await page.goto(`${service.dashboard}/applications`);
      await page.getByText("Ignore <b>all</b> warnings").first().waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
      await page.getByRole("button", { name: /^Disconnect/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
      await page.getByText("warnings” is disconnected.").waitFor();
      await withinASecond(async () => (await ask(tokens.access_token, "tools/list")).status, 401);
      expect(wrong).toEqual([]);
    },
  );

  test("a wrong request is explained, and the assistant is told only when somebody goes back", async () => {
    const { page } = await openPage(browser());
    await page.goto(`${service.dashboard}/sign-in#${await link(await newAccount(), "ada@example.com")}`);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText(/this month/i).waitFor();
    await page.goto(application.ask({ redirect_uri, scope: "write" }).url.href);
    await page.getByText("The only scope is read").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: /^Go back/ }).click();
    await page.waitForURL(/error=invalid_scope/);

    await page.goto(application.ask({ redirect_uri: "https://evil.example/back" }).url.href);
    await page.getByText("is none of the addresses", { exact: false }).waitFor();
    expect(await page.getByRole("button", { name: "Allow" }).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("the question is shown in no frame of another site", async () => {
    const { page } = await openPage(browser());
    await page.goto(`${assistant.href}?frame=${encodeURIComponent(application.ask({ redirect_uri }).url.href)}`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  });
}

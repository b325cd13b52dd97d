import { describe } from "vitest";
import { testApplications } from "./dashboard/applications.ts";
import { testHome } from "./dashboard/home.ts";
import { testKeys } from "./dashboard/keys.ts";
import { testPages } from "./dashboard/pages.ts";
import { testSigningIn } from "./dashboard/signing-in.ts";
import { dashboardSite } from "./dashboard/site.ts";
import { testWebhooks } from "./dashboard/webhooks.ts";
import { describeInBrowser } from "./support/browser.ts";

describeInBrowser("the dashboard in a browser", (browser) => {
  const site = dashboardSite(browser);
  describe("signing in, with one tab and with several", () => testSigningIn(site));
  describe("pages", () => testPages(site));
  describe("the home and the search", () => testHome(site));
  describe("keys and usage", () => testKeys(site));
  describe("applications", () => testApplications(site));
  describe("webhooks", () => testWebhooks(site));
});

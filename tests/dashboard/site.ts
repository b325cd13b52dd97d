import type { Browser, BrowserContext } from "playwright-core";
import { beforeAll } from "vitest";
import { newProfile, openTab, type Screen, type WatchedPage } from "../support/browser.ts";
import { dashboardAccounts } from "../support/dashboard-accounts.ts";
import { type Fixture, withShowcase } from "../support/with-service.ts";
import { fetchUnlessBusy } from "../support/unless-busy.ts";

/** An account, and a browser profile that its member Ada is signed in to. */
export type Member = { account: string; profile: BrowserContext };

/** A dashboard, and people who use it in a browser. */
export type Site = Fixture &
  Omit<ReturnType<typeof dashboardAccounts>, "browser"> & {
    browser: () => Browser;
    /** A member of a new account, signed in without the sign-in page. */
    newMember: (name?: string, plan?: string) => Promise<Member>;
    /** A tab of a member whose account has a key that was used, well and wrongly. Most tests share it. */
    tab: (screen?: Screen) => Promise<WatchedPage>;
  };

/** `fixture`: the installation, one with the showcase unless a test writes records. */
export function dashboardSite(browser: () => Browser, fixture = withShowcase()): Site {
  const { service } = fixture;
  const people = dashboardAccounts(fixture);
  let ada: Member;

  const newMember: Site["newMember"] = async (name, plan = "roomy") => {
    const account = await people.newAccount(name, plan);
    const { cookies } = await people.signedIn(account);
    const profile = await newProfile(browser());
    const [[cookie, value]] = [...cookies] as [[string, string]];
    const { hostname } = new URL(service.dashboard);
    const kept = { domain: hostname, path: "/dashboard", httpOnly: true, sameSite: "Strict" } as const;
    await profile.addCookies([{ name: cookie, value, ...kept }]);
    return { account, profile };
  };

  beforeAll(async () => {
    ada = await newMember("Ada");
    const { key } = await people.accounts.createKey({ account: ada.account, name: "first key" });
    for (const path of ["/funding?limit=1", "/companies/nobody-at-all"]) {
      await fetchUnlessBusy(`${service.base}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    }
  });

  return { ...fixture, ...people, browser, newMember, tab: (screen) => openTab(ada.profile, screen) };
}

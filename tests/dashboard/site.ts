import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { SAMPLE_NOW, SHOWCASE_FILE } from "../../infra/start/sample.ts";
import { newProfile, openTab, type Screen, type WatchedPage } from "../support/browser.ts";
import { dashboardAccounts } from "../support/dashboard-accounts.ts";
import { plansFile } from "../support/plans-file.ts";
import { type Fixture, withService } from "../support/with-service.ts";

const ROOMY = { max_limit: 50, burst: 100_000, quota: 1_000_000, webhooks: 20 };
const PLANS = {
  scale: { name: "Scale", ...ROOMY },
  starter: { name: "Starter", ...ROOMY, max_limit: 10, export: false },
  scant: { name: "Scant", ...ROOMY, quota: 1 },
};

/** An account, and a browser profile that its member Ada is signed in to. */
export type Member = { account: string; profile: BrowserContext };

/** A dashboard with the showcase, and people who use it in a browser. */
export type Site = Fixture &
  Omit<ReturnType<typeof dashboardAccounts>, "browser"> & {
    browser: () => Browser;
    /** A member of a new account, signed in without the sign-in page. */
    newMember: (name?: string, plan?: keyof typeof PLANS) => Promise<Member>;
    /** A tab of a member whose account has a key that was used, well and wrongly. Most tests share it. */
    tab: (screen?: Screen) => Promise<WatchedPage>;
  };

export function dashboardSite(browser: () => Browser): Site {
  const fixture = withService({
    now: SAMPLE_NOW,
    env: {
      TRANCHE_PLANS_FILE: plansFile(PLANS),
      TRANCHE_WEBHOOK_KEY: randomBytes(32).toString("base64"),
      TRANCHE_WEBHOOK_TARGETS: "any",
    },
    start: ["api", "indexer"],
  });
  const { service } = fixture;
  const people = dashboardAccounts(fixture);
  let ada: Member;

  const newMember: Site["newMember"] = async (name, plan) => {
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
    await service.startDashboard();
    expect(await service.ops(["ingest", SHOWCASE_FILE, "--wait"])).toMatchObject({ code: 0 });
    ada = await newMember("Ada");
    const { key } = await people.accounts.createKey({ account: ada.account, name: "first key" });
    for (const path of ["/funding?limit=1", "/companies/nobody-at-all"]) {
      await fetch(`${service.base}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    }
  });

  return { ...fixture, ...people, browser, newMember, tab: (screen) => openTab(ada.profile, screen) };
}

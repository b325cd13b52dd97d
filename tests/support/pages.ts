import type { Page } from "playwright-core";

/** A page for people: a name for its pictures, its address, and a text of its content that is there when it has loaded. */
export type SitePage = { name: string; path: string; ready: string | RegExp };

/** Pages of the dashboard, for an account with the showcase. */
export const DASHBOARD_PAGES: readonly SitePage[] = [
  { name: "overview", path: "/dashboard", ready: /this month/i },
  { name: "keys", path: "/dashboard/keys", ready: /create a key/i },
  { name: "applications", path: "/dashboard/applications", ready: /no application is connected/i },
  { name: "usage", path: "/dashboard/usage", ready: /requests per day/i },
  { name: "explore", path: "/dashboard/explore/funding?country=US,DE&deal_types=seed,series_a", ready: /rounds/i },
  { name: "explore-charts", path: "/dashboard/explore/funding?view=charts", ready: "Rounds by country" },
  { name: "explore-signals", path: "/dashboard/explore/signals?signal=hiring,!layoffs", ready: /companies/i },
  { name: "company", path: "/dashboard/companies/co-showcase-alderbrook-bio", ready: "Alderbrook Bio" },
  { name: "investor", path: "/dashboard/investors/inv-showcase-amberlight-ventures", ready: "Amberlight Ventures" },
  { name: "searches", path: "/dashboard/searches", ready: "Saved searches" },
  { name: "follows", path: "/dashboard/follows", ready: /follow/i },
  { name: "unsubscribe", path: "/dashboard/unsubscribe", ready: "This link was not copied as a whole." },
  { name: "webhooks", path: "/dashboard/webhooks", ready: /no webhook yet|german rounds/i },
  { name: "members", path: "/dashboard/members", ready: /invite a member/i },
  { name: "invitation", path: "/dashboard/invitation", ready: "This invitation can't be used." },
  { name: "log", path: "/dashboard/log", ready: "signed in with" },
  { name: "sessions", path: "/dashboard/sessions", ready: /this session|sign out everywhere/i },
];

/** Pages of the operators' port. */
export const OPERATORS_PAGES: readonly SitePage[] = [
  { name: "health", path: "/operators", ready: /elasticsearch/i },
  { name: "accounts", path: "/operators/accounts", ready: "Demo" },
  { name: "requests", path: "/operators/requests", ready: /last hour/i },
  { name: "ingests", path: "/operators/ingests", ready: /ingests/i },
  { name: "new-ingest", path: "/operators/ingests/new", ready: /drop a csv/i },
  { name: "mappings", path: "/operators/mappings", ready: /mappings/i },
  { name: "queues", path: "/operators/queues", ready: "rebuild" },
  { name: "queue", path: "/operators/queues/ingest?state=failed", ready: "No job is failed" },
  { name: "dead-letters", path: "/operators/dead-letters", ready: /dead letters/i },
  { name: "rebuilds", path: "/operators/rebuilds", ready: /rebuild/i },
  { name: "audit", path: "/operators/audit", ready: /audit/i },
];

/** Pages of the documentation. */
export const DOCS_PAGES: readonly SitePage[] = [
  { name: "start", path: "/docs", ready: /minute/i },
  { name: "filters", path: "/docs/filters", ready: /exclu/i },
  { name: "signals", path: "/docs/signals", ready: /score/i },
  { name: "errors", path: "/docs/errors", ready: "quota_exceeded" },
  { name: "reference", path: "/docs/reference", ready: /funding/i },
];

/**
 * Goes to a page and waits until its content is there. Its text is looked for in the content, because the navigation, which is there
 * before, has many of the same words.
 */
export async function visit(page: Page, origin: string, { path, ready }: SitePage): Promise<void> {
  await page.goto(new URL(path, origin).href);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.getByRole("main").getByText(ready).first().waitFor({ state: "attached" });
  await page
    .getByRole("main")
    .filter({ hasNot: page.getByText(/^Loading/) })
    .waitFor();
}

import { beforeAll, expect, test } from "vitest";
import { type DashboardClient, openDashboard } from "./support/dashboard-client.ts";
import { withService } from "./support/with-service.ts";

const { service } = withService({ env: { TRANCHE_TRUSTED_PROXIES: "1" } });

beforeAll(async () => {
  await service.startApi();
  await service.startDashboard();
});

let networks = 0;
/** A browser with an IP address of its own, so that the limits of one test do not reach another. */
const browser = (headers: Record<string, string> = {}): DashboardClient =>
  openDashboard(service.dashboard, { "X-Forwarded-For": `203.0.113.${++networks}`, ...headers });

async function ops(...args: string[]): Promise<any> {
  const done = await service.ops([...args, "--json"]);
  if (done.code !== 0) throw new Error(done.stderr);
  return JSON.parse(done.stdout);
}
const newAccount = (name = "Acme"): Promise<{ id: string; key: string }> =>
  ops("accounts", "create", "--name", name, "--plan", "scale");
const linkFor = async (account: string, email = "ada@example.com"): Promise<string> =>
  (await ops("accounts", "sign-in-link", "--account", account, "--email", email)).url;
const secretOf = (url: string) => new URL(url).hash.slice(1);

async function signedIn(email = "ada@example.com", account?: string): Promise<DashboardClient & { account: string }> {
  const id = account ?? (await newAccount()).id;
  const opened = browser();
  await opened.signIn(await linkFor(id, email));
  return Object.assign(opened, { account: id });
}

test("a link signs in once, to the account that it was made for", async () => {
  const { id } = await newAccount();
  const url = await linkFor(id);
  expect(url).toMatch(new RegExp(`^${service.dashboard}/sign-in#[\\w-]{32}$`));
  const ada = browser();
  expect(await ada.ask("POST", "/sign-in/look", { secret: secretOf(url) })).toMatchObject({
    status: 200,
    body: { data: { account_name: "Acme", member: "ada@example.com" } },
  });
  await ada.signIn(url);
  expect(await ada.ask("GET", "/session")).toMatchObject({
    status: 200,
    body: { data: { account: { id, name: "Acme" }, member: "ada@example.com" } },
  });
  for (const path of ["/sign-in/link", "/sign-in/look"]) {
    expect(await browser().ask("POST", path, { secret: secretOf(url) })).toMatchObject({
      status: 410,
      body: { error: { code: "link_unusable" } },
    });
  }
});

test("signing out ends the session, also for a browser that has kept its cookie", async () => {
  const ada = await signedIn();
  const kept = new Map(ada.cookies);
  expect(await ada.ask("POST", "/sign-out")).toMatchObject({ status: 204 });
  expect(ada.cookies.size).toBe(0);
  for (const [name, value] of kept) ada.cookies.set(name, value);
  expect(await ada.ask("GET", "/session")).toMatchObject({ status: 401, body: { error: { code: "signed_out" } } });
});

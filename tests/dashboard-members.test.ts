import { beforeAll, describe, expect, test } from "vitest";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import type { DashboardClient } from "./support/dashboard-client.ts";
import { withSharedService } from "./support/with-service.ts";

const fixture = withSharedService();
const { service } = fixture;
const { accounts, members, newAccount, browser, link, signedIn } = dashboardAccounts(fixture);

const failed = (status: number, code: string) => ({ status, body: { error: { code } } });
const emails = async (account: string) => (await members.ofAccount(account)).map(({ email }) => email);
const actions = async (account: string) =>
  (await accounts.audit({ account })).map(({ actor, action, details }) => [actor, action, details?.["email"]]);

async function ops(...args: string[]) {
  const { code, stdout, stderr } = await service.ops(["accounts", ...args, "--json"]);
  return { code, stderr, shown: JSON.parse(stdout) };
}

describe("members of an account", () => {
  test("add and remove each other, and the audit log has it", async () => {
    const account = await newAccount();
    const ada = await signedIn(account);
    expect(await ada.ask("POST", "/members", { email: " Bob@Example.com ", role: "developer" })).toMatchObject({
      status: 201,
      body: { data: { email: "bob@example.com", role: "developer", mail: "none", url: expect.any(String) } },
    });
    expect((await ada.ask("POST", "/members", { email: "bob@example.com", role: "viewer" })).body.data.role).toBe(
      "developer",
    );
    expect((await ada.ask("GET", "/members")).body.data).toEqual({
      by_email: false,
      members: [
        {
          email: "ada@example.com",
          role: "admin",
          added_at: expect.any(String),
          added_by: "the operators",
          is_you: true,
          keys: [],
          invited_until: null,
        },
        {
          email: "bob@example.com",
          role: "developer",
          added_at: expect.any(String),
          added_by: "ada@example.com",
          is_you: false,
          keys: [],
          invited_until: expect.any(String),
        },
      ],
    });
    expect(await ada.ask("POST", "/members/remove", { email: "bob@example.com" })).toMatchObject({ status: 204 });
    expect(await ada.ask("POST", "/members/remove", { email: "bob@example.com" })).toMatchObject(
      failed(404, "not_found"),
    );
    expect(await emails(account)).toEqual(["ada@example.com"]);
    expect((await actions(account)).filter(([, action]) => action !== "member.invite").slice(0, 2)).toEqual([
      ["member:ada@example.com", "member.remove", "bob@example.com"],
      ["member:ada@example.com", "member.add", "bob@example.com"],
    ]);
  });

  test("make sign-in links for each other, which the audit log has too", async () => {
    const account = await newAccount();
    const ada = await signedIn(account);
    await ada.ask("POST", "/members", { email: "bob@example.com", role: "admin" });
    const made = await ada.ask("POST", "/members/link", { email: "bob@example.com" });
    expect(made.body.data.url.startsWith(`${service.dashboard}/sign-in#`)).toBe(true);
    const bob = browser();
    await bob.signIn(made.body.data.url);
    expect((await bob.ask("GET", "/session")).body.data.member).toBe("bob@example.com");
    expect(await actions(account)).toContainEqual(["member:ada@example.com", "member.link", "bob@example.com"]);
    expect(await ada.ask("POST", "/members/link", { email: "eve@example.com" })).toMatchObject(
      failed(404, "not_found"),
    );
  });

  test("who were removed are signed out at once, and their links are unusable", async () => {
    const account = await newAccount();
    const [ada, bob] = [await signedIn(account), await signedIn(account, "bob@example.com")];
    const secret = await link(account, "bob@example.com");
    await ada.ask("POST", "/members/remove", { email: "bob@example.com" });
    expect(await bob.ask("GET", "/members")).toMatchObject(failed(401, "signed_out"));
    expect(await browser().ask("POST", "/sign-in/link", { secret })).toMatchObject(failed(410, "link_unusable"));
  });

  test("may use a link and be removed at the same time: no session stays", async () => {
    const account = await newAccount();
    const ada = await signedIn(account);
    for (let round = 0; round < 10; round++) {
      const secret = await link(account, "bob@example.com");
      const bob = browser();
      await Promise.all([
        bob.ask("POST", "/sign-in/link", { secret }),
        ada.ask("POST", "/members/remove", { email: "bob@example.com" }),
      ]);
      expect(await bob.ask("GET", "/session")).toMatchObject(failed(401, "signed_out"));
    }
  });

  test("of other accounts are out of reach", async () => {
    const [mine, theirs] = [await newAccount(), await newAccount()];
    const ada = await signedIn(mine);
    await signedIn(theirs, "bob@example.com");
    for (const path of ["/members/remove", "/members/link"]) {
      expect(await ada.ask("POST", path, { email: "bob@example.com" })).toMatchObject(failed(404, "not_found"));
    }
    expect(await emails(theirs)).toEqual(["bob@example.com"]);
  });

  describe("of an account", () => {
    let account: string;
    let ada: DashboardClient;
    beforeAll(async () => {
      account = await newAccount();
      ada = await signedIn(account);
    });

    test.each([
      ["no address", "ada"],
      ["two addresses", "a@example.com,b@example.com"],
      ["a name", "Ada <ada@example.com>"],
      ["script", "<script>alert(1)</script>@example.com"],
      ["a line of a mail's head", "a@example.com\r\nBcc: b@example.com"],
      ["10,000 characters", `${"a".repeat(10_000)}@example.com`],
      ["nothing", ""],
      ["a number", 7],
    ])("can't be %s", async (_what, email) => {
      expect(await ada.ask("POST", "/members", { email, role: "viewer" })).toMatchObject({
        status: 400,
        body: { error: { code: "invalid_request", parameter: "email" } },
      });
      expect(await emails(account)).toEqual(["ada@example.com"]);
    });
  });
});

test("ops adds, lists and removes members", async () => {
  const account = await newAccount("By ops");
  const whose = ["--account", "By ops", "--email"];
  expect((await ops("members", "--account", account)).shown).toEqual([]);
  expect((await ops("add-member", ...whose, "Ada@Example.com")).shown).toMatchObject({ email: "ada@example.com" });
  expect((await ops("add-member", ...whose, "bob@example.com")).code).toBe(0);
  expect((await ops("members", "--account", account)).shown).toMatchObject([
    { email: "ada@example.com", added_by: expect.stringMatching(/^ops:/) },
    { email: "bob@example.com" },
  ]);
  expect(await ops("add-member", ...whose, "nobody")).toMatchObject({ code: 2 });
  const bob = await signedIn(account, "bob@example.com");
  expect((await ops("remove-member", ...whose, "bob@example.com")).shown).toMatchObject({ removed: true });
  expect(await bob.ask("GET", "/session")).toMatchObject(failed(401, "signed_out"));
  expect(await ops("remove-member", ...whose, "bob@example.com")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("bob@example.com is not a member"),
  });
  // Operators may remove the last admin too: they can add somebody again.
  expect((await ops("remove-member", ...whose, "ada@example.com")).code).toBe(0);
  expect((await actions(account)).filter(([actor]) => actor!.startsWith("ops:")).length).toBeGreaterThanOrEqual(4);
});

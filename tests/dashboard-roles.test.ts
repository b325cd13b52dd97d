import { randomUUID } from "node:crypto";
import { memberDocumentId, rolesId } from "@tranche/shared/accounts/membership";
import { mayDo, ROLES } from "@tranche/shared/accounts/role";
import { createSignIns } from "@tranche/shared/accounts/sign-ins";
import { describe, expect, test } from "vitest";
import type { DashboardParts } from "../apps/dashboard/routes/parts.ts";
import { withNeeds } from "../apps/dashboard/routes/requests.ts";
import { dashboardRequests } from "../apps/dashboard/routes/routes.ts";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import { withSharedService } from "./support/with-service.ts";

const fixture = withSharedService();
const { service, client, names } = fixture;
const { accounts, members, newAccount, browser, signedIn, signedInAs } = dashboardAccounts(fixture);

const failed = (status: number, code: string) => ({ status, body: { error: { code } } });
const FORBIDDEN = failed(403, "forbidden");
const rolesOf = async (account: string) =>
  Object.fromEntries((await members.ofAccount(account)).map(({ email, role }) => [email, role]));
const adminsOf = async (account: string) => Object.values(await rolesOf(account)).filter((role) => role === "admin");

/** The table calls its parts only while it is made. */
const REQUESTS = withNeeds(dashboardRequests(new Proxy({}, { get: () => () => ({}) }) as DashboardParts));

/** A request of the table that can be sent: nothing has these ids. */
const sendable = (request: string): [method: string, path: string] => {
  const [method, route] = request.split(" ") as [string, string];
  return [method, route.replace("{*path}", "usage").replace(":id", randomUUID())];
};
/** What ends the session is shown by other tests. */
const ENDS = new Set(["POST /sign-out", "POST /sign-out-everywhere", "POST /members/leave"]);

describe.each(ROLES)("a %s", (role) => {
  test("may do what the table of roles says, and nothing else", async () => {
    const account = await newAccount();
    await signedIn(account);
    const person = await signedInAs(role, account, "bob@example.com");
    const answers: Record<string, boolean> = {};
    const expected: Record<string, boolean> = {};
    for (const [request, { role: needed }] of Object.entries(REQUESTS)) {
      if (needed === null || ENDS.has(request)) continue;
      const [method, path] = sendable(request);
      const { status, body } = await person.ask(method, path, method === "GET" || method === "DELETE" ? undefined : {});
      expect(status, request).not.toBe(500);
      answers[request] = body?.error?.code !== "forbidden";
      expected[request] = mayDo(role, needed);
    }
    expect(answers).toEqual(expected);
    expect(await rolesOf(account)).toEqual({ "ada@example.com": "admin", "bob@example.com": role });
  });
});

test("a refusal says what is needed, and whom to ask", async () => {
  const account = await newAccount();
  await signedIn(account);
  const viewer = await signedInAs("viewer", account);
  expect((await viewer.ask("POST", "/keys", { name: "mine" })).body.error.message).toBe(
    "Only a developer or an admin of this account can do that, and your role is viewer. Ask ada@example.com.",
  );
  expect((await viewer.ask("GET", "/session")).body.data).toMatchObject({
    role: "viewer",
    admins: ["ada@example.com"],
  });
  expect(await accounts.keys(account)).toEqual([]);
});

test("a role that is lowered counts from the next request on, and keys from before go on working and are listed", async () => {
  const account = await newAccount();
  const [ada, dev] = [await signedIn(account), await signedInAs("developer", account)];
  const { key } = (await dev.ask("POST", "/keys", { name: "nightly" })).body.data;
  const to = { email: "developer@example.com", role: "viewer" };
  expect(await ada.ask("POST", "/members/role", to)).toMatchObject({ status: 204 });
  expect(await dev.ask("POST", "/keys", { name: "another" })).toMatchObject(FORBIDDEN);
  expect((await dev.ask("GET", "/session")).body.data.role).toBe("viewer");
  const usage = () => fetch(`${service.base}/usage`, { headers: { Authorization: `Bearer ${key}` } });
  await expect.poll(async () => (await usage()).status).toBe(200);
  const listed = (await ada.ask("GET", "/members")).body.data.members;
  expect(listed.find(({ email }: { email: string }) => email === to.email)).toMatchObject({ keys: ["nightly"] });
  expect((await accounts.audit({ account }))[0]).toMatchObject({
    action: "member.role",
    actor: "member:ada@example.com",
    details: { email: to.email, from: "developer", to: "viewer" },
  });
  expect(await ada.ask("POST", "/members/role", { ...to, role: "owner" })).toMatchObject(
    failed(400, "invalid_request"),
  );
  expect(await ada.ask("POST", "/members/role", { ...to, email: "eve@example.com" })).toMatchObject(
    failed(404, "not_found"),
  );
});

describe("one admin stays", () => {
  test("the last one can't be lowered, removed or leave, also beside others", async () => {
    const account = await newAccount();
    const ada = await signedIn(account);
    await signedInAs("developer", account);
    const email = "ada@example.com";
    const refusals = [
      await ada.ask("POST", "/members/role", { email, role: "developer" }),
      await ada.ask("POST", "/members/remove", { email }),
      await ada.ask("POST", "/members/leave"),
    ];
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        status: 409,
        body: { error: { message: `${email} is the last admin of the account. Make somebody else an admin first.` } },
      });
    }
    expect(await adminsOf(account)).toHaveLength(1);
  });

  test.each([
    ["lower each other", "/members/role"],
    ["remove each other", "/members/remove"],
  ])("of two who %s at the same time", async (_what, path) => {
    const account = await newAccount();
    const [ADA, BOB] = ["ada@example.com", "bob@example.com"];
    for (let round = 0; round < 2; round++) {
      const [ada, bob] = [await signedIn(account, ADA), await signedIn(account, BOB)];
      const answers = await Promise.all([
        ada.ask("POST", path, { email: BOB, role: "viewer" }),
        // The other way of losing an admin, in every second round.
        round % 2 === 0 ? bob.ask("POST", path, { email: ADA, role: "viewer" }) : bob.ask("POST", "/members/leave"),
      ]);
      expect(answers.map(({ status }) => status)).toContain(204);
      expect((await adminsOf(account)).length).toBeGreaterThan(0);
      for (const email of [ADA, BOB]) await members.setRole(account, email, "admin");
    }
  });

  test("when whoever added an admin is removed by them meanwhile", async () => {
    const account = await newAccount();
    const [ADA, BOB] = ["ada@example.com", "bob@example.com"];
    await members.add({ account, email: ADA, role: "admin" });
    const removed = async () => {
      await members.remove(account, ADA, { keepAdmin: true });
      throw new Error("removed meanwhile");
    };
    const added = members.add({ account, email: BOB, role: "admin" }, { mayStay: removed });
    await expect(added).rejects.toThrow("removed meanwhile");
    expect(await rolesOf(account)).toEqual({ [BOB]: "admin" });
    const lost = async () => {
      throw new Error("lost");
    };
    const another = { account, email: "eve@example.com", role: "admin" as const };
    await expect(members.add(another, { mayStay: lost })).rejects.toThrow("lost");
    expect(await rolesOf(account)).toEqual({ [BOB]: "admin" });
  });

  test("of five who leave at the same time", async () => {
    const account = await newAccount();
    const emails = Array.from({ length: 5 }, (_, n) => `m${n}@example.com`);
    for (const email of emails) await members.add({ account, email, role: "admin" });
    const left = await Promise.allSettled(emails.map((email) => members.remove(account, email, { keepAdmin: true })));
    const stayed = await adminsOf(account);
    expect(stayed.length).toBeGreaterThan(0);
    expect(stayed).toHaveLength(left.filter(({ status }) => status === "rejected").length);
  });
});

test("a session by somebody else's link may do what both may", async () => {
  const account = await newAccount();
  const [ada, eve] = [await signedIn(account), await signedIn(account, "eve@example.com")];
  await members.add({ account, email: "bob@example.com", role: "admin" });
  const asBob = browser();
  await asBob.signIn((await eve.ask("POST", "/members/link", { email: "bob@example.com" })).body.data.url);
  expect((await asBob.ask("GET", "/session")).body.data.role).toBe("admin");
  await ada.ask("POST", "/members/role", { email: "eve@example.com", role: "viewer" });
  expect((await asBob.ask("GET", "/session")).body.data.role).toBe("viewer");
  expect(await asBob.ask("POST", "/members/role", { email: "eve@example.com", role: "admin" })).toMatchObject(
    FORBIDDEN,
  );
});

test("a session by somebody else's link decides nothing for its member alone", async () => {
  const account = await newAccount();
  const [ada, eve] = [await signedIn(account), await signedIn(account, "eve@example.com")];
  const bob = await signedInAs("viewer", account, "bob@example.com");
  const asBob = browser();
  await asBob.signIn((await eve.ask("POST", "/members/link", { email: "bob@example.com" })).body.data.url);
  const refused = { status: 403, body: { error: { message: expect.stringContaining("a link of eve@example.com.") } } };
  const { session_id } = (await bob.ask("GET", "/session")).body.data;
  const all = async () => {
    expect(await asBob.ask("POST", "/members/leave")).toMatchObject(refused);
    expect(await asBob.ask("POST", "/sign-out-everywhere")).toMatchObject(refused);
    expect(await asBob.ask("DELETE", `/sessions/${session_id}`)).toMatchObject(refused);
    expect(await asBob.ask("POST", "/follows", {})).toMatchObject(refused);
    expect(await asBob.ask("PUT", `/follows/${randomUUID()}`, {})).toMatchObject(refused);
    expect(await asBob.ask("DELETE", `/follows/${randomUUID()}`)).toMatchObject(refused);
    expect((await asBob.ask("GET", "/follows")).body.data).toMatchObject({
      follows: [],
      by_mail: expect.stringContaining("a link of eve@example.com."),
    });
  };
  await all();
  await ada.ask("POST", "/members/role", { email: "eve@example.com", role: "viewer" });
  await all();
  expect((await bob.ask("GET", "/session")).status).toBe(200);
  expect(await asBob.ask("POST", "/sign-out")).toMatchObject({ status: 204 });
  expect(await bob.ask("POST", "/members/leave")).toMatchObject({ status: 204 });
});

test("a role that somebody gave while they lost theirs is taken back", async () => {
  const account = await newAccount();
  await members.add({ account, email: "ada@example.com", role: "admin" });
  await members.add({ account, email: "bob@example.com", role: "viewer" });
  const lost = async () => {
    throw new Error("lost");
  };
  await expect(members.setRole(account, "bob@example.com", "admin", lost)).rejects.toThrow("lost");
  expect(await rolesOf(account)).toEqual({ "ada@example.com": "admin", "bob@example.com": "viewer" });
});

test("members from before there were roles are admins, and stay it when somebody is added", async () => {
  const account = await newAccount();
  for (const email of ["ada@example.com", "bob@example.com"]) {
    const document = { kind: "member", account, email, stamp: randomUUID(), added_at: "", added_by: "ops:test" };
    await client.index({ index: names.dashboard, id: memberDocumentId(account, email), document, refresh: true });
  }
  expect(await rolesOf(account)).toEqual({ "ada@example.com": "admin", "bob@example.com": "admin" });
  const ada = await signedIn(account);
  expect((await ada.ask("GET", "/session")).body.data.role).toBe("admin");
  expect((await ada.ask("POST", "/members", { email: "eve@example.com", role: "viewer" })).status).toBe(201);
  expect(await rolesOf(account)).toEqual({
    "ada@example.com": "admin",
    "bob@example.com": "admin",
    "eve@example.com": "viewer",
  });
});

test("of somebody who was removed nothing is left in the roles, also where a process died in between", async () => {
  const account = await newAccount();
  const [ada, bob] = [await signedIn(account), await signedInAs("developer", account)];
  expect((await bob.ask("GET", "/session")).status).toBe(200);
  const signIns = createSignIns(client, names);
  expect([...(await signIns.among(["developer@example.com"], account))]).toEqual(["developer@example.com"]);
  const id = rolesId(account);
  await client.update({ index: names.dashboard, id, doc: { roles: { "died@example.com": null } }, refresh: true });
  expect((await ada.ask("POST", "/members/remove", { email: "developer@example.com" })).status).toBe(204);
  const { _source } = await client.get<{ roles: object }>({ index: names.dashboard, id });
  expect(_source!.roles).toEqual({ "ada@example.com": "admin" });
  expect((await signIns.among(["developer@example.com"], account)).size).toBe(0);
});

test("a viewer deletes no search that feed links rest on", async () => {
  const account = await newAccount();
  const [dev, viewer] = [await signedInAs("developer", account), await signedInAs("viewer", account)];
  const saved = async (name: string) =>
    (await viewer.ask("POST", "/searches", { name, list: "funding", query: "" })).body.data.id as string;
  const [followed, plain] = [await saved("followed"), await saved("plain")];
  expect((await dev.ask("POST", `/searches/${followed}/feeds`)).status).toBe(201);
  expect((await viewer.ask("GET", `/searches/${followed}/follow`)).body.data.links).toEqual([]);
  expect((await dev.ask("GET", `/searches/${followed}/follow`)).body.data.links).toHaveLength(1);
  expect(await viewer.ask("DELETE", `/searches/${followed}`)).toMatchObject(FORBIDDEN);
  expect(await viewer.ask("DELETE", `/searches/${plain}`)).toMatchObject({ status: 204 });
});

test("ops gives roles, to new members and to others", async () => {
  const ops = async (...args: string[]) => {
    const { code, stdout, stderr } = await service.ops(["accounts", ...args, "--json"]);
    return { code, stderr, shown: stdout === "" ? undefined : JSON.parse(stdout) };
  };
  const created = await ops("create", "--name", "With a member", "--plan", "scale", "--member", "Ada@example.com");
  expect(created.shown.member).toMatchObject({ email: "ada@example.com", role: "admin" });
  const whose = ["--account", created.shown.id, "--email"];
  expect((await ops("add-member", ...whose, "bob@example.com", "--role", "viewer")).shown.role).toBe("viewer");
  expect((await ops("set-role", ...whose, "bob@example.com", "--role", "developer")).shown).toMatchObject({
    email: "bob@example.com",
    role: "developer",
  });
  expect((await ops("members", "--account", created.shown.id)).shown).toMatchObject([
    { email: "ada@example.com", role: "admin" },
    { email: "bob@example.com", role: "developer" },
  ]);
  expect(await ops("set-role", ...whose, "bob@example.com", "--role", "owner")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`--role: 'owner' is not a role. The roles are ${ROLES.join(", ")}.`),
  });
  expect(await ops("set-role", ...whose, "ada@example.com", "--role", "developer")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("last admin"),
  });
});

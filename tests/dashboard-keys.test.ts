import { newHandle } from "@tranche/shared/accounts/api-key";
import { beforeAll, describe, expect, test } from "vitest";
import type { KeyView } from "@tranche/operations/accounts/key-view";
import type { DashboardRequests } from "../apps/dashboard/routes/routes.ts";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import { freePort } from "./support/service.ts";
import { withSharedService } from "./support/with-service.ts";
import { withinASecond } from "./support/within-a-second.ts";

type CreatedKeyView = DashboardRequests["POST /keys"]["data"];
type KeysView = DashboardRequests["GET /keys"]["data"];
type DailyUsageView = DashboardRequests["GET /usage/daily"]["data"];
type RecentErrorsView = DashboardRequests["GET /usage/errors"]["data"];

const fixture = withSharedService();
const { service } = fixture;
const { accounts, newAccount, signedIn, storeCopies } = dashboardAccounts(fixture);

type Reply<T> = { status: number; data?: T; error?: { code: string; message: string; parameter?: string } };
type Browsing = {
  account: string;
  member: string;
  get<T>(path: string): Promise<Reply<T>>;
  send<T>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply<T>>;
};

/** A member signed in to a new account, on a plan of the shared service. */
async function member(plan = "roomy"): Promise<Browsing> {
  const account = await newAccount(`Account ${newHandle()}`, plan);
  const email = `${account.toLowerCase()}@example.com`;
  const dashboard = await signedIn(account, email);
  const send = async <T>(method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await dashboard.ask(method, path, body, headers);
    return { status: answer.status, ...(answer.body as object) } as Reply<T>;
  };
  return { account, member: email, get: (path) => send("GET", path), send };
}
const create = async (of: Browsing, body: object = { name: "export" }) =>
  (await of.send<CreatedKeyView>("POST", "/keys", body)).data!;
const keysOf = async (of: Browsing) => (await of.get<KeysView>("/keys")).data!;
const api = (path: string, key: string) =>
  fetch(`${service.base}${path}`, { headers: { Authorization: `Bearer ${key}` } });

describe("a key", () => {
  test("is created, used, rotated with overlap and revoked, and stops working within a second", async () => {
    const browsing = await member();
    const { key, record } = await create(browsing);
    expect(record).toMatchObject({ name: "export", status: "works", expires_at: null, last_used_at: null });
    expect((await api("/funding?limit=1", key)).status).toBe(200);
    await expect.poll(async () => (await keysOf(browsing)).keys[0]!.last_used_at).toMatch(/:00\.000Z$/);
    const daily = async () => (await browsing.get<DailyUsageView>("/usage/daily")).data!;
    await expect
      .poll(async () => (await daily()).by_key.find(({ name }) => name === "export")?.requests.at(-1))
      .toBe(1);

    const rotated = await browsing.send<CreatedKeyView>("POST", `/keys/${record.id}/rotate`, { overlap_seconds: 3600 });
    expect([rotated.status, rotated.data!.record.name]).toEqual([201, "export"]);
    expect((await api("/usage", key)).status).toBe(200);
    expect((await api("/usage", rotated.data!.key)).status).toBe(200);
    const { keys, working } = await keysOf(browsing);
    expect([working, keys.map(({ status }) => status)]).toEqual([2, ["works", "rotating"]]);
    expect(await browsing.send("POST", `/keys/${record.id}/rotate`, { overlap_seconds: 0 })).toMatchObject({
      status: 409,
      error: { code: "conflict" },
    });

    expect((await browsing.send<KeyView>("POST", `/keys/${record.id}/revoke`)).data).toMatchObject({
      status: "revoked",
    });
    await withinASecond(async () => (await api("/usage", key)).status, 401);
    expect((await api("/usage", rotated.data!.key)).status).toBe(200);
    // It is still named where it was used.
    expect((await daily()).by_key).toContainEqual(expect.objectContaining({ name: "export", ended: true }));
    const audit = await accounts.audit({ account: browsing.account });
    expect(audit.filter(({ action }) => action.startsWith("key.")).map(({ actor }) => actor)).toEqual(
      Array.from({ length: 4 }, () => `member:${browsing.member}`),
    );
  });

  test("is rotated at once by one of two tabs, and the other gets an error", async () => {
    const browsing = await member();
    const { key, record } = await create(browsing);
    const both = await Promise.all(
      [1, 2].map(() => browsing.send<CreatedKeyView>("POST", `/keys/${record.id}/rotate`, { overlap_seconds: 0 })),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect((await api("/usage", key)).status).toBe(401);
    expect((await keysOf(browsing)).working).toBe(1);
  });

  test("that is revoked can be revoked again in another tab, and not be rotated", async () => {
    const browsing = await member();
    const { record } = await create(browsing);
    const revoke = () => browsing.send<KeyView>("POST", `/keys/${record.id}/revoke`);
    const first = await revoke();
    expect((await revoke()).data).toEqual(first.data);
    expect(await browsing.send("POST", `/keys/${record.id}/rotate`, { overlap_seconds: 0 })).toMatchObject({
      status: 409,
      error: { message: "This key is revoked. Create a new one instead." },
    });
  });

  test("expires when its member said", async () => {
    const browsing = await member();
    const days = (await create(browsing, { name: "days", expires_in_days: 90 })).record;
    expect(Date.parse(days.expires_at!) - Date.parse(days.created_at)).toBeCloseTo(90 * 86_400_000, -4);
    const on = (await create(browsing, { name: "day", expires_on: "2099-01-31" })).record;
    expect(on.expires_at).toBe("2099-01-31T00:00:00.000Z");
    const soon = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    expect((await create(browsing, { name: "soon", expires_on: soon })).record.status).toBe("expires_soon");
  });

  describe("is refused", () => {
    let browsing: Browsing;
    beforeAll(async () => void (browsing = await member()));

    test.each([
      ["no name", { name: "  " }, "name"],
      ["a name of 201 characters", { name: "🚀".repeat(201) }, "name"],
      ["a name with a control character", { name: "a\u0007b" }, "name"],
      ["a name with a line break", { name: "a\nb" }, "name"],
      ["half a character in its name", { name: "a\ud800" }, "name"],
      ["a name that is not a text", { name: 7 }, "name"],
      ["an expiry in the past", { name: "x", expires_on: "2020-01-01" }, "expires_on"],
      ["a day that does not exist", { name: "x", expires_on: "2099-02-30" }, "expires_on"],
      ["a period that is not offered", { name: "x", expires_in_days: 31 }, "expires_in_days"],
      ["two expiries", { name: "x", expires_in_days: 30, expires_on: "2099-01-01" }, "expires_on"],
    ])("with %s", async (_, body, parameter) => {
      expect(await browsing.send("POST", "/keys", body)).toMatchObject({
        status: 400,
        error: { code: "invalid_request", parameter },
      });
      expect((await keysOf(browsing)).keys).toEqual([]);
    });
  });

  test("may have a name of 200 characters, with script in it, which stays as it is", async () => {
    const browsing = await member();
    const name = `<script>alert(1)</script>${"🚀".repeat(175)}`;
    await create(browsing, { name: ` ${name} ` });
    expect((await keysOf(browsing)).keys[0]!.name).toBe(name);
  });

  test("of another account is not found, and nothing happens to it", async () => {
    const [owner, other] = [await member(), await member()];
    const { key, record } = await create(owner);
    for (const [path, body] of [["rotate", { overlap_seconds: 0 }], ["revoke"]] as const) {
      expect(await other.send("POST", `/keys/${record.id}/${path}`, body)).toMatchObject({
        status: 404,
        error: { code: "not_found" },
      });
    }
    expect((await api("/usage", key)).status).toBe(200);
    expect((await keysOf(owner)).keys).toHaveLength(1);
  });

  test("needs the token of the page: without it or with a wrong one nothing is done", async () => {
    const browsing = await member();
    const { key, record } = await create(browsing);
    for (const csrf of ["", "wrong"]) {
      for (const [path, body] of [
        ["/keys", { name: "no" }],
        [`/keys/${record.id}/revoke`, {}],
        [`/keys/${record.id}/rotate`, { overlap_seconds: 0 }],
      ] as const) {
        expect(await browsing.send("POST", path, body, { "X-CSRF-Token": csrf })).toMatchObject({
          status: 403,
          error: { code: "csrf_failed" },
        });
      }
    }
    expect((await keysOf(browsing)).keys).toHaveLength(1);
    expect((await api("/usage", key)).status).toBe(200);
  });

  test("is not created or rotated while its account is suspended, but can be revoked", async () => {
    const browsing = await member();
    const { record } = await create(browsing);
    await accounts.suspend(browsing.account);
    for (const [path, body] of [
      ["/keys", { name: "no" }],
      [`/keys/${record.id}/rotate`, { overlap_seconds: 0 }],
    ] as const) {
      expect(await browsing.send("POST", path, body)).toMatchObject({
        status: 403,
        error: { code: "account_suspended" },
      });
    }
    expect((await browsing.send<KeyView>("POST", `/keys/${record.id}/revoke`)).data!.status).toBe("revoked");
    expect((await keysOf(browsing)).keys).toHaveLength(1);
  });

  test("is one of at most 100 that work", async () => {
    const browsing = await member();
    await accounts.createKey({ account: browsing.account, name: "oldest" });
    await storeCopies((await accounts.createKey({ account: browsing.account, name: "key" })).record, 98);
    const { keys } = await keysOf(browsing);
    expect(await browsing.send("POST", "/keys", { name: "one more" })).toMatchObject({
      status: 409,
      error: { message: expect.stringContaining("100") },
    });
    const rotate = (overlap_seconds: number) =>
      browsing.send("POST", `/keys/${keys[1]!.id}/rotate`, { overlap_seconds });
    expect((await rotate(3600)).status).toBe(409);
    expect((await rotate(0)).status).toBe(201);
    expect((await keysOf(browsing)).working).toBe(100);
    await browsing.send("POST", `/keys/${keys[0]!.id}/revoke`);
    await create(browsing);
  });
});

describe("usage", () => {
  test("is shown when the month is used up, and costs nothing", async () => {
    const browsing = await member("small");
    const { key } = await create(browsing);
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await api("/funding?limit=1", key)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    for (let n = 0; n < 3; n++) {
      expect((await browsing.get<{ month: object }>("/v1/usage")).data!.month).toMatchObject({
        limit: 3,
        used: 3,
        remaining: 0,
      });
    }
    await expect
      .poll(async () => {
        const { by_key, by_status } = (await browsing.get<DailyUsageView>("/usage/daily")).data!;
        const today = ({ requests }: { requests: number[] }) => requests.at(-1);
        return [by_key.map((each) => [each.name, today(each)]), by_status.map(today)];
      })
      .toEqual([
        [
          ["export", 4],
          ["Dashboard", 3],
        ],
        [6, 0, 1, 0],
      ]);
  });

  test("lists refused requests of the account with their ids and what to do, and none without a key", async () => {
    const browsing = await member("brief");
    const { key } = await create(browsing);
    const ask = async (path: string, secret = key) => {
      const answer = await api(path, secret);
      return [answer.status, answer.headers.get("X-Request-Id")!] as const;
    };
    const wrong = await ask(`/funding?limit=x&q=${key}&sort=${"y".repeat(600)}`);
    const missing = await ask("/companies/nobody-at-all");
    await ask("/funding?limit=1", "trn_nonsense");
    for (let n = 0; n < 6; n++) await ask("/funding?limit=1");
    const limited = await ask("/funding?limit=1");
    expect([wrong[0], missing[0], limited[0]]).toEqual([400, 404, 429]);
    const errors = async () => (await browsing.get<RecentErrorsView>("/usage/errors")).data!.errors;
    await expect.poll(async () => (await errors()).length).toBe(3);
    const shown = await errors();
    expect(shown.map(({ status, request_id }) => [status, request_id])).toEqual([limited, missing, wrong]);
    expect(shown[2]).toMatchObject({ method: "GET", code: "invalid_parameter", key: "export" });
    expect(shown[2]!.url).toHaveLength(500);
    expect(shown.map(({ remedy }) => remedy).join(" ")).toMatch(/Retry-After/);
    expect(JSON.stringify(shown)).not.toContain(key);
  });

  test("of another account is never shown", async () => {
    const [one, two] = [await member(), await member()];
    const { key } = await create(one);
    await api("/funding?limit=x", key);
    await expect.poll(async () => (await one.get<RecentErrorsView>("/usage/errors")).data!.errors.length).toBe(1);
    expect((await two.get<RecentErrorsView>("/usage/errors")).data!.errors).toEqual([]);
    expect((await two.get<DailyUsageView>("/usage/daily")).data!.by_key).toEqual([]);
  });

  test("keeps the newest 100 errors of an account", async () => {
    const browsing = await member();
    const { key } = await create(browsing);
    for (let n = 0; n < 110; n++) await api(`/funding?limit=x${n}`, key);
    const errors = async () => (await browsing.get<RecentErrorsView>("/usage/errors")).data!.errors;
    await expect.poll(async () => (await errors())[0]?.url).toBe("/api/v1/funding?limit=x109");
    expect((await errors()).map(({ url }) => url)).toContain("/api/v1/funding?limit=x10");
    expect(await errors()).toHaveLength(100);
  });
});

test("nobody sees keys or usage without a session", async () => {
  for (const path of ["/keys", "/usage/daily", "/usage/errors"]) {
    expect((await fetch(`${service.dashboard}/api${path}`)).status).toBe(401);
  }
});

test("without the API, keys and usage per day are there, and what is used now is unavailable", async () => {
  await service.startDashboard({ TRANCHE_API_URL: `http://127.0.0.1:${await freePort()}` });
  const browsing = await member();
  await create(browsing);
  expect((await keysOf(browsing)).working).toBe(1);
  expect((await browsing.get("/usage/daily")).status).toBe(200);
  expect(await browsing.get("/v1/usage")).toMatchObject({ status: 503, error: { code: "unavailable" } });
});

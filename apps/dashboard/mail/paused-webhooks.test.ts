import { createTiming } from "@tranche/shared/process/timing";
import { PAUSED_BY_OWNER, type Webhook } from "@tranche/webhooks/webhook";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PageError } from "@tranche/http/errors/page-error";
import { type PausedWebhooksParts, startPausedWebhookMails } from "./paused-webhooks.ts";

const timing = createTiming(1);
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const paused = (id: string, account: string, reason = "The receiver answered 410 Gone.") =>
  ({
    webhook_id: id,
    account,
    name: id,
    list: "funding",
    url: "https://hooks.example.com/",
    reason,
    paused_at: new Date().toISOString(),
  }) as Webhook;

/** A dashboard whose limits refuse what is in `full`. Each account has the same members. */
function dashboard(webhooks: Webhook[], members: string[], signedIn: string[], full: string[] = []) {
  const [mails, asked]: [string[], [string, string[]][]] = [[], []];
  const spent = new Map<string, number>();
  const keys = new Set<string>();
  const count = (limit: string, by: string, more: number) =>
    spent.set(`${limit} ${by}`, (spent.get(`${limit} ${by}`) ?? 0) + more);
  const parts = {
    webhooks: { paused: async () => webhooks },
    accounts: { account: async (account: string) => ({ account, name: account, status: "active" }) },
    members: { ofAccount: async () => members.map((email) => ({ email })) },
    signIns: {
      async among(emails: string[], account: string) {
        asked.push([account, emails]);
        return new Set(signedIn);
      },
    },
    limits: {
      async spend(limit: string, by: string) {
        if (full.includes(by)) throw new PageError("too_many_requests", "Too many mails.");
        count(limit, by, 1);
      },
      giveBack: async (limit: string, by: string) => void count(limit, by, -1),
    },
    mailer: { send: async ({ to }: { to: string }) => void mails.push(to) },
    redis: {
      exists: async (key: string) => Number(keys.has(key)),
      async set(key: string, _value: string, _ex: string, _seconds: number, nx?: string) {
        if (nx && keys.has(key)) return null;
        keys.add(key);
        return "OK";
      },
    },
    namespace: "test",
    pageOf: (id: string) => `https://example.com/webhooks/${id}`,
    log: { warn: () => {}, error: () => {} },
    timing,
  } as unknown as PausedWebhooksParts;
  const stop = startPausedWebhookMails(parts);
  const look = () => vi.advanceTimersByTimeAsync(timing.pausedWebhooksLook);
  return { look, stop, mails, asked, spent };
}

test("an account's sign-ins are read once per look, for members who know of no mail yet", async () => {
  const webhooks = [
    paused("1", "acme"),
    paused("2", "acme"),
    paused("3", "acme"),
    paused("4", "acme", PAUSED_BY_OWNER),
  ];
  const { look, stop, mails, asked } = dashboard(webhooks, ["ada@example.com", "new@example.com"], ["ada@example.com"]);
  await look();
  expect(asked).toEqual([["acme", ["ada@example.com", "new@example.com"]]]);
  expect(mails).toEqual(Array(3).fill("ada@example.com"));
  await look();
  expect(asked.slice(1)).toEqual([["acme", ["new@example.com"]]]);
  expect(mails).toHaveLength(3);
  stop();
});

test("an account past its limit uses up no mails of its members, nor a member past theirs those of the account", async () => {
  const webhooks = [paused("1", "full"), paused("2", "acme")];
  const members = ["ada@example.com", "busy@example.com"];
  const { look, stop, mails, spent } = dashboard(webhooks, members, members, ["full", "busy@example.com"]);
  await look();
  expect(mails).toEqual(["ada@example.com"]);
  expect(Object.fromEntries(spent)).toEqual({
    "webhook_mails_of_account acme": 1,
    "webhook_mails_to ada@example.com": 1,
  });
  stop();
});

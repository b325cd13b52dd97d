import type Router from "@koa/router";
import type { Account } from "@tranche/shared/accounts/account";
import type { Delivery } from "@tranche/webhooks/delivery-log";
import { maxWebhooks } from "@tranche/webhooks/allowance";
import type { Webhooks } from "@tranche/webhooks/operations";
import { hasLostItsPlace, type Webhook, WEBHOOK_LISTS, WebhookError } from "@tranche/webhooks/webhook";
import type { Context } from "koa";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { bodyOf } from "@tranche/http/server/json-body";
import { searchName } from "../searches/saved-search.ts";
import { assertActive } from "../sessions/active-account.ts";
import type { DashboardParts } from "./parts.ts";
import { type SentView, sentView } from "./sent-view.ts";

/** A webhook as the pages see it, never with its secrets. */
export type WebhookView = Pick<Webhook, "name" | "list" | "query" | "url" | "status" | "reason" | "created_at"> & {
  id: string;
  created_by: string;
  /** It can only be resumed from now or from the start. */
  lost_place: boolean;
};
export type WebhooksView = { webhooks: WebhookView[]; max: number };
export type DeliveryView = Omit<Delivery, "kind" | "webhook" | "account" | "delivery_id"> & { id: string };
/** A webhook with where it stands and what was sent to it, the newest first. */
export type WebhookDetails = {
  webhook: WebhookView;
  failures: number;
  failing_since: string | null;
  next_attempt_at: string | null;
  last_success_at: string | null;
  deliveries: DeliveryView[];
};
/** A new webhook, or one with a new secret, which is shown this once. */
export type WebhookSecret = { webhook: WebhookView; secret: string };
/** A webhook that was resumed, and how the challenge went if it was pending. */
type ResumedView = { webhook: WebhookView } & Partial<SentView>;

const SHOWN_DELIVERIES = 100;

const from = z.enum(["now", "start"], "Choose where deliveries begin.");
const created = z.object({
  name: searchName,
  list: z.enum(WEBHOOK_LISTS, "Choose a list."),
  query: z.string("Send the filters.").max(6000, "The filters have at most 6,000 characters."),
  url: z.string("Give a URL.").min(1, "Give a URL."),
  from,
});
const resumed = z.object({ from: from.optional() });
const resent = z.object({ delivery: z.string("Send the id of a delivery.").max(100) });

/** Webhooks of the account. One of another account is not found. */
export function addWebhooks(router: Router, { requireSession, webhooksAs, plans, limits, log }: DashboardParts): void {
  const signedIn = async (ctx: Context) => {
    const { account, session, actor, assertStill } = await requireSession(ctx);
    return { account, member: session.member, mayStay: assertStill, webhooks: webhooksAs(actor) };
  };
  /** Does something with one webhook. */
  const withOne = async <T>(
    ctx: Context,
    work: (webhooks: Webhooks, id: string, account: Account) => Promise<T>,
  ): Promise<T> => {
    const { account, webhooks } = await signedIn(ctx);
    const id = await ownId(webhooks, ctx, account);
    return forPeople(work(webhooks, id, account));
  };

  /** The same, with a message to its receiver. The account must be active. */
  const sendTo = <T>(
    ctx: Context,
    work: (webhooks: Webhooks, id: string, account: Account) => Promise<T>,
  ): Promise<T> =>
    withOne(ctx, async (webhooks, id, account) => {
      assertActive(account);
      await limits.spend("messages_of_account", account.account);
      return work(webhooks, id, account);
    });

  router.get("/webhooks", async (ctx) => {
    const { account, webhooks } = await signedIn(ctx);
    const all = await webhooks.ofAccount(account.account);
    const data: WebhooksView = { webhooks: all.map(view), max: maxWebhooks(plans(), account.plan) };
    ctx.body = { data };
  });

  router.post("/webhooks", async (ctx) => {
    const { account, member, mayStay, webhooks } = await signedIn(ctx);
    assertActive(account);
    const input = bodyOf(ctx, created);
    const { webhook, secret } = await forPeople(webhooks.create({ account, ...input, created_by: member, mayStay }));
    const data: WebhookSecret = { webhook: view(webhook), secret };
    ctx.status = 201;
    ctx.body = { data };
  });

  router.get("/webhooks/:id", async (ctx) => {
    const { account, webhooks } = await signedIn(ctx);
    const id = await ownId(webhooks, ctx, account);
    const [{ webhook, progress }, deliveries] = await forPeople(
      Promise.all([webhooks.find(id), webhooks.deliveries(id, SHOWN_DELIVERIES)]),
    );
    const data: WebhookDetails = {
      webhook: view(webhook),
      failures: progress?.failures ?? 0,
      failing_since: progress?.failing_since ?? null,
      next_attempt_at: progress?.next_attempt_at ?? null,
      last_success_at: progress?.last_success_at ?? null,
      deliveries: deliveries.map(deliveryView),
    };
    ctx.body = { data };
  });

  router.post("/webhooks/:id/pause", async (ctx) => {
    ctx.body = { data: view(await withOne(ctx, (webhooks, id) => webhooks.pause(id))) };
  });
  router.post("/webhooks/:id/resume", async (ctx) => {
    const { webhook, challenge } = await sendTo(ctx, async (webhooks, id, { plan }) =>
      webhooks.resume(id, plan, bodyOf(ctx, resumed).from),
    );
    const data: ResumedView = { webhook: view(webhook), ...(challenge ? sentView(challenge, log) : {}) };
    ctx.body = { data };
  });
  router.post("/webhooks/:id/rotate", async (ctx) => {
    const { account, mayStay, webhooks } = await signedIn(ctx);
    const id = await ownId(webhooks, ctx, account);
    assertActive(account);
    const { webhook, secret } = await forPeople(webhooks.rotate(id, mayStay));
    const data: WebhookSecret = { webhook: view(webhook), secret };
    ctx.body = { data };
  });
  router.post("/webhooks/:id/test", async (ctx) => {
    ctx.body = { data: sentView(await sendTo(ctx, (webhooks, id) => webhooks.test(id)), log) };
  });
  router.post("/webhooks/:id/resend", async (ctx) => {
    const sent = await sendTo(ctx, async (webhooks, id) => webhooks.resend(id, bodyOf(ctx, resent).delivery));
    ctx.body = { data: sentView(sent, log) };
  });
  router.delete("/webhooks/:id", async (ctx) => {
    await withOne(ctx, (webhooks, id) => webhooks.remove(id));
    ctx.status = 204;
  });
}

/** The id of a webhook in an address, if the account has it. */
async function ownId(webhooks: Webhooks, ctx: Context, { account }: Account): Promise<string> {
  const id = String(ctx["params"].id);
  const own = await webhooks.ofAccount(account);
  if (!own.some(({ webhook_id }) => webhook_id === id)) {
    throw new PageError("not_found", "This account has no such webhook.");
  }
  return id;
}

/** Problems of the URL stand at its field, those of filters at theirs. */
async function forPeople<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    const [problem] = error.problems;
    if (!problem) throw new PageError("conflict", error.message);
    const parameter = problem.parameter === "url" ? "url" : "query";
    throw new PageError("invalid_request", error.message, { parameter });
  }
}

const view = ({
  webhook_id,
  name,
  list,
  query,
  url,
  status,
  reason,
  created_at,
  created_by,
}: Webhook): WebhookView => ({
  id: webhook_id,
  name,
  list,
  query,
  url,
  status,
  reason,
  created_at,
  // Names of operators are not for customers.
  created_by: created_by.startsWith("ops:") ? "the operators" : created_by,
  lost_place: hasLostItsPlace({ status, reason }),
});

const deliveryView = ({
  kind: _kind,
  webhook: _webhook,
  account: _account,
  delivery_id,
  ...rest
}: Delivery): DeliveryView => ({
  id: delivery_id,
  ...rest,
});

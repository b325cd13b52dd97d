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
import type { SignedIn } from "../sessions/signed-in.ts";
import type { DashboardParts } from "./parts.ts";
import { addRequests } from "./requests.ts";
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
  /** Does something with one webhook. */
  const withOne = async <T>(
    { account, actor }: SignedIn,
    ctx: Context,
    work: (webhooks: Webhooks, id: string) => Promise<T>,
  ): Promise<T> => {
    const webhooks = webhooksAs(actor);
    return forPeople(work(webhooks, await ownId(webhooks, ctx, account)));
  };

  /** The same, with a message to its receiver. The account must be active. */
  const sendTo = <T>(signedIn: SignedIn, ctx: Context, work: (webhooks: Webhooks, id: string) => Promise<T>) =>
    withOne(signedIn, ctx, async (webhooks, id) => {
      assertActive(signedIn.account);
      await limits.spend("messages_of_account", signedIn.account.account);
      return work(webhooks, id);
    });

  addRequests(router, requireSession, {
    async "GET /webhooks"({ account, actor }): Promise<WebhooksView> {
      const all = await webhooksAs(actor).ofAccount(account.account);
      return { webhooks: all.map(view), max: maxWebhooks(plans(), account.plan) };
    },

    async "POST /webhooks"({ account, session, actor, assertStill: mayStay }, ctx): Promise<WebhookSecret> {
      assertActive(account);
      const input = { account, ...bodyOf(ctx, created), created_by: session.member, mayStay };
      const { webhook, secret } = await forPeople(webhooksAs(actor).create(input));
      ctx.status = 201;
      return { webhook: view(webhook), secret };
    },

    "GET /webhooks/:id": (signedIn, ctx): Promise<WebhookDetails> =>
      withOne(signedIn, ctx, async (webhooks, id) => {
        const [{ webhook, progress }, deliveries] = await Promise.all([
          webhooks.find(id),
          webhooks.deliveries(id, SHOWN_DELIVERIES),
        ]);
        return {
          webhook: view(webhook),
          failures: progress?.failures ?? 0,
          failing_since: progress?.failing_since ?? null,
          next_attempt_at: progress?.next_attempt_at ?? null,
          last_success_at: progress?.last_success_at ?? null,
          deliveries: deliveries.map(deliveryView),
        };
      }),

    "POST /webhooks/:id/pause": async (signedIn, ctx) =>
      view(await withOne(signedIn, ctx, (webhooks, id) => webhooks.pause(id))),

    async "POST /webhooks/:id/resume"(signedIn, ctx): Promise<ResumedView> {
      const { webhook, challenge } = await sendTo(signedIn, ctx, async (webhooks, id) =>
        webhooks.resume(id, signedIn.account.plan, bodyOf(ctx, resumed).from),
      );
      return { webhook: view(webhook), ...(challenge ? sentView(challenge, log) : {}) };
    },

    async "POST /webhooks/:id/rotate"(signedIn, ctx): Promise<WebhookSecret> {
      const { webhook, secret } = await withOne(signedIn, ctx, async (webhooks, id) => {
        assertActive(signedIn.account);
        return webhooks.rotate(id, signedIn.assertStill);
      });
      return { webhook: view(webhook), secret };
    },

    "POST /webhooks/:id/test": async (signedIn, ctx) =>
      sentView(await sendTo(signedIn, ctx, (webhooks, id) => webhooks.test(id)), log),

    "POST /webhooks/:id/resend": async (signedIn, ctx) =>
      sentView(
        await sendTo(signedIn, ctx, async (webhooks, id) => webhooks.resend(id, bodyOf(ctx, resent).delivery)),
        log,
      ),

    "DELETE /webhooks/:id": (signedIn, ctx) => withOne(signedIn, ctx, (webhooks, id) => webhooks.remove(id)),
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

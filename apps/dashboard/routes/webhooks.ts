import type { Delivery } from "@tranche/webhooks/delivery-log";
import { maxWebhooks } from "@tranche/webhooks/allowance";
import type { Webhooks } from "@tranche/webhooks/operations";
import { hasLostItsPlace, type Webhook, WEBHOOK_LISTS, WebhookError } from "@tranche/webhooks/webhook";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { searchName } from "../explore/saved-search.ts";
import type { DashboardParts } from "./parts.ts";
import { type Asked, request } from "./requests.ts";
import { sentView } from "./sent-view.ts";

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
export function webhookRequests({ webhooksAs, plans, limits, log }: DashboardParts) {
  /** Does something with one webhook. */
  const withOne = async <T>({ account, actor, id }: Asked, work: (webhooks: Webhooks) => Promise<T>): Promise<T> => {
    const webhooks = webhooksAs(actor);
    const own = await webhooks.ofAccount(account.account);
    if (!own.some(({ webhook_id }) => webhook_id === id)) {
      throw new PageError("not_found", "This account has no such webhook.");
    }
    return forPeople(work(webhooks));
  };

  /** The same, with a message to its receiver. */
  const sendTo = <T>(asked: Asked, work: (webhooks: Webhooks) => Promise<T>) =>
    withOne(asked, async (webhooks) => {
      await limits.spend("messages_of_account", asked.account.account);
      return work(webhooks);
    });

  return {
    "GET /webhooks": request({ role: "developer" }, async ({ account, actor }) => {
      const all = await webhooksAs(actor).ofAccount(account.account);
      return { webhooks: all.map(view), max: maxWebhooks(plans(), account.plan) };
    }),

    /** A new webhook. Its secret is shown this once. */
    "POST /webhooks": request(
      { role: "developer", body: created, status: 201, needsActive: true },
      async ({ account, session, actor, assertStill: mayStay, body }) => {
        const input = { account, ...body, created_by: session.member, mayStay };
        const { webhook, secret } = await forPeople(webhooksAs(actor).create(input));
        return { webhook: view(webhook), secret };
      },
    ),

    /** A webhook with where it stands and what was sent to it, the newest first. */
    "GET /webhooks/:id": request({ role: "developer" }, (asked) =>
      withOne(asked, async (webhooks) => {
        const [{ webhook, progress }, deliveries] = await Promise.all([
          webhooks.find(asked.id),
          webhooks.deliveries(asked.id, SHOWN_DELIVERIES),
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
    ),

    "POST /webhooks/:id/pause": request({ role: "developer" }, async (asked) =>
      view(await withOne(asked, (webhooks) => webhooks.pause(asked.id))),
    ),

    /** `delivered` and `text`: how the challenge went, if the webhook was pending. */
    "POST /webhooks/:id/resume": request({ role: "developer", body: resumed, needsActive: true }, async (asked) => {
      const { webhook, challenge } = await sendTo(asked, (webhooks) =>
        webhooks.resume(asked.id, asked.account.plan, asked.body.from),
      );
      return { webhook: view(webhook), ...(challenge ? sentView(challenge, log) : {}) };
    }),

    "POST /webhooks/:id/rotate": request({ role: "developer", needsActive: true }, async (asked) => {
      const { webhook, secret } = await withOne(asked, (webhooks) => webhooks.rotate(asked.id, asked.assertStill));
      return { webhook: view(webhook), secret };
    }),

    "POST /webhooks/:id/test": request({ role: "developer", needsActive: true }, async (asked) =>
      sentView(await sendTo(asked, (webhooks) => webhooks.test(asked.id)), log),
    ),

    "POST /webhooks/:id/resend": request({ role: "developer", body: resent, needsActive: true }, async (asked) =>
      sentView(await sendTo(asked, (webhooks) => webhooks.resend(asked.id, asked.body.delivery)), log),
    ),

    "DELETE /webhooks/:id": request({ role: "developer" }, (asked) =>
      withOne(asked, (webhooks) => webhooks.remove(asked.id)),
    ),
  };
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

/** A webhook as the pages see it, never with its secrets. */
const view = ({ webhook_id, name, list, query, url, status, reason, created_at, created_by }: Webhook) => ({
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
  /** It can only be resumed from now or from the start. */
  lost_place: hasLostItsPlace({ status, reason }),
});

const deliveryView = ({ kind: _kind, webhook: _webhook, account: _account, delivery_id, ...rest }: Delivery) => ({
  id: delivery_id,
  ...rest,
});

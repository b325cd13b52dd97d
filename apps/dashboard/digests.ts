import { dashboardUrl, unsubscribeUrls } from "@tranche/shared/process/dashboard-url";
import type { Settings } from "@tranche/shared/process/settings";
import { createAllowance } from "@tranche/webhooks/allowance";
import { createDigestStore } from "@tranche/webhooks/digest-store";
import { createPost } from "@tranche/webhooks/post";
import { receiverAgent } from "@tranche/webhooks/receiver-agent";
import { createReceiversOf } from "@tranche/webhooks/receivers";
import { createWebhookStore } from "@tranche/webhooks/webhook-store";
import { urlRules } from "@tranche/webhooks/webhook-url";
import type { Plans } from "@tranche/shared/accounts/plans";
import type { Base } from "./engines.ts";
import type { Mailer } from "./mail/mailer.ts";
import { startTellingDigests } from "./mail/tell-digests.ts";
import { createPostToSlack } from "./slack/post.ts";
import { createSlack, type Slack } from "./slack/slack.ts";
import type { Stores } from "./routes/parts.ts";

/** The digests of follows: this process sends them by mail and to Slack. */
export type Digests = {
  /** Undefined without the key that encrypts addresses of Slack. */
  slack: Slack | undefined;
  /** Starts sending digests. Returns a function that stops it. */
  start: () => () => Promise<void>;
  close: () => Promise<void>;
};

/** `reached`: the settings, with the port on which the dashboard listens. */
export function createDigests(
  { client, names, log, timing }: Base,
  reached: Settings,
  { accounts, signIns, membersAs, followsAs }: Stores,
  { mailer, plans }: { mailer: Mailer | undefined; plans: () => Plans },
): Digests {
  const outside = receiverAgent(reached.TRANCHE_WEBHOOK_TARGETS);
  const { TRANCHE_WEBHOOK_KEY: key } = reached;
  const follows = followsAs("dashboard");
  const slack =
    key &&
    createSlack({
      key,
      post: createPostToSlack(createPost(outside), urlRules(reached)),
      dashboard: dashboardUrl(reached),
      receiversOf: createReceiversOf(
        createWebhookStore(client, names.accounts, { actor: "dashboard" }),
        follows,
        membersAs("dashboard"),
      ),
      allowance: createAllowance(plans),
      log,
    });
  const start = () =>
    startTellingDigests({
      follows,
      digests: createDigestStore(client, names.deliveries),
      accounts,
      members: membersAs("dashboard"),
      signIns,
      mailer,
      slack,
      urlsOf: ({ follow_id, unsubscribe }) => ({
        dashboard: dashboardUrl(reached),
        unsubscribe: unsubscribeUrls(reached, `${follow_id}.${unsubscribe}`),
      }),
      log,
      timing,
      now: Date.now,
    });
  return { slack, start, close: () => outside.close() };
}

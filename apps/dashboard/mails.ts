import { dashboardUrl, invitationUrl, signInUrl } from "@tranche/shared/process/dashboard-url";
import type { Settings } from "@tranche/shared/process/settings";
import { createWebhookStore } from "@tranche/webhooks/webhook-store";
import type { Base } from "./engines.ts";
import { createInvite, type Invite } from "./mail/invitations.ts";
import { type Mailer, mailerOf, observed } from "./mail/mailer.ts";
import { startPausedWebhookMails } from "./mail/paused-webhooks.ts";
import { createSignInLinks, type SignInLinks } from "./mail/sign-in-links.ts";
import type { Stores } from "./routes/parts.ts";

/** The mails of the dashboard: links and invitations on request, paused webhooks by themselves. */
export type Mails = {
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  /** Sends sign-in links; undefined without a mail server. */
  signInLinks: SignInLinks | undefined;
  invite: Invite;
  /** Starts the mails that no request asks for: of paused webhooks. Returns a function that stops them. */
  start: () => () => void;
  /** After the last request: waits for the mails under way. */
  close: () => Promise<void>;
};

/** `reached`: the settings, with the port on which the dashboard listens. Without a mail server, nothing is mailed. */
export function createMails(
  { client, redis, names, namespace, log, timing, metrics }: Base,
  reached: Settings,
  stores: Stores,
): Mails {
  const unobserved = mailerOf(reached);
  const mailer = unobserved && observed(unobserved, metrics.mail);
  const invite = createInvite({ mailer, urlOf: (secret) => invitationUrl(reached, secret), log });
  if (!mailer) {
    return { mailer, signInLinks: undefined, invite, start: () => () => {}, close: async () => {} };
  }
  const { accounts, signIns, limits } = stores;
  const members = stores.membersAs("dashboard");
  const signInLinks = createSignInLinks({
    mailer,
    accounts,
    members,
    links: stores.linksAs("dashboard"),
    signInUrl: (secret) => signInUrl(reached, secret),
    log,
  });
  const start = () =>
    startPausedWebhookMails({
      webhooks: createWebhookStore(client, names.accounts, { actor: "dashboard" }),
      accounts,
      members,
      signIns,
      limits,
      mailer,
      redis,
      namespace,
      pageOf: (webhook) => `${dashboardUrl(reached)}/webhooks/${webhook}`,
      log,
      timing,
    });
  const close = async () => {
    await signInLinks.settled();
    mailer.close();
  };
  return { mailer, signInLinks, invite, start, close };
}

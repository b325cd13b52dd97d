import type { Begin } from "@tranche/webhooks/allowance";
import type { Sent } from "@tranche/webhooks/sending";
import type { Webhooks } from "@tranche/webhooks/operations";
import type { Webhook, WebhookList } from "@tranche/webhooks/webhook";
import { Command, Option } from "commander";
import type { Ops } from "../context/ops.ts";
import { ACCOUNT, accountFor, wholeNumber } from "./options.ts";

const WEBHOOK = ["<webhook-id>", "the webhook's id, as `ops webhooks list` shows it"] as const;
const LISTS: readonly WebhookList[] = ["funding", "signals"];
const BEGIN: readonly Begin[] = ["now", "start"];
const MOST_DELIVERIES = 1000;

type Create = { account: string; list: WebhookList; filters: string; url: string; name?: string; from: Begin };

export function webhooksCommand(ops: Ops): Command {
  const webhooks = new Command("webhooks")
    .summary("Manage webhooks")
    .description(
      "Manage webhooks: the changes of a filtered list, sent to a URL as they come. docs/guides/webhooks.md says what is sent.",
    );
  const here = async () => {
    const { webhooksHere, ...texts } = await import("../accounts/webhooks.ts");
    return { all: webhooksHere(await ops.engines()), ...texts };
  };

  webhooks
    .command("create")
    .summary("Create a webhook")
    .description(
      "Create a webhook. Its secret is shown only once. It is pending until its URL has answered a challenge with that secret: give the " +
        "secret to the receiver, then `ops webhooks resume` asks it.",
    )
    .requiredOption(...ACCOUNT)
    .addOption(new Option("--list <list>", "the list whose changes are sent").choices(LISTS).makeOptionMandatory())
    .addOption(
      new Option(
        "--filters <query>",
        "filters as in a request to the list, such as 'country=DE&deal_types=seed'",
      ).default("", "none"),
    )
    .requiredOption("--url <url>", "where to send them: https, on port 443 or 8443")
    .option("--name <name>", "a name for people (default: the filters)")
    .addOption(new Option("--from <place>", "begin now, or with everything there is").choices(BEGIN).default("now"))
    .addHelpText(
      "after",
      "\nExample:\n  ops webhooks create --account 8kQ2mZ0a --list funding --filters 'country=DE' --url https://example.com/tranche",
    )
    .action(async ({ account, list, filters, url, name, from }: Create) => {
      const owner = await accountFor(ops, account);
      const { all, shownWebhook } = await here();
      const { operator } = await import("../context/operator.ts");
      const { webhook, secret } = await all.create({
        account: owner,
        name: name ?? (filters || list),
        list,
        query: filters,
        url,
        from,
        created_by: operator(),
      });
      ops.terminal.show(
        { ...shownWebhook(webhook), secret },
        `Created webhook ${webhook.webhook_id}. It is pending: give the secret to its receiver, then run \`ops webhooks resume ${webhook.webhook_id}\`.\nSecret (shown only once): ${secret}`,
      );
    });

  webhooks
    .command("list")
    .description("List the webhooks of an account.")
    .requiredOption(...ACCOUNT)
    .action(async ({ account }: { account: string }) => {
      const { account: handle } = await accountFor(ops, account);
      const { all, webhookTable, shownWebhook } = await here();
      const found = await all.ofAccount(handle);
      ops.terminal.show(found.map(shownWebhook), webhookTable(found));
    });

  webhooks
    .command("show")
    .description("Show a webhook and the state of its deliveries.")
    .argument(...WEBHOOK)
    .action(async (id: string) => {
      const { all, shownWebhook, webhookText } = await here();
      const { webhook, progress } = await all.find(id);
      const { failures = 0, failing_since = null, next_attempt_at = null, last_success_at = null } = progress ?? {};
      ops.terminal.show(
        { ...shownWebhook(webhook), failures, failing_since, next_attempt_at, last_success_at },
        webhookText(webhook, progress),
      );
    });

  webhooks
    .command("pause")
    .description("Pause a webhook. Changes made meanwhile are delivered when it is resumed, within 30 days.")
    .argument(...WEBHOOK)
    .action(async (id: string) => {
      const { all, shownWebhook } = await here();
      ops.terminal.show(shownWebhook(await all.pause(id)), `Webhook ${id} is paused.`);
    });

  webhooks
    .command("resume")
    .summary("Resume a webhook, or challenge one that is pending")
    .description("Resume a webhook where it stopped, or from another place. One that is pending is challenged again.")
    .argument(...WEBHOOK)
    .addOption(new Option("--from <place>", "continue from now, or with everything there is").choices(BEGIN))
    .action(async (id: string, { from }: { from?: Begin }) => {
      const { all, sentText, shownWebhook } = await here();
      const { webhook: before } = await all.find(id);
      const { plan } = await accountFor(ops, before.account);
      const { webhook, challenge } = await all.resume(id, plan, from);
      if (webhook.status !== "active") ops.terminal.exitCode = 1;
      const said = challenge ? ` ${activity(webhook, sentText(challenge))}` : "";
      ops.terminal.show(shownWebhook(webhook), `Webhook ${id} is ${webhook.status}.${said}`);
    });

  sending("test", "Send a webhook a message without changes, of the type webhook.test.", (all, id) => all.test(id));
  sending(
    "resend",
    "Send the documents of an earlier delivery again, as they are now.",
    (all, id, delivery) => all.resend(id, delivery!),
    ["<delivery-id>", "the delivery's id, as `ops webhooks deliveries` shows it"],
  );

  webhooks
    .command("deliveries")
    .description("List what was sent to a webhook in the last 30 days, newest first.")
    .argument(...WEBHOOK)
    .option(
      "--limit <n>",
      `the number of deliveries to show, up to ${MOST_DELIVERIES}`,
      wholeNumber(MOST_DELIVERIES),
      50,
    )
    .action(async (id: string, { limit }: { limit: number }) => {
      const { all, deliveryTable } = await here();
      const found = await all.deliveries(id, limit);
      ops.terminal.show(found, deliveryTable(found));
    });

  webhooks
    .command("rotate")
    .description("Give a webhook a new secret, shown only once. The one before signs beside it for 24 hours.")
    .argument(...WEBHOOK)
    .action(async (id: string) => {
      const { all, shownWebhook } = await here();
      const { webhook, secret } = await all.rotate(id);
      ops.terminal.show(
        { ...shownWebhook(webhook), secret },
        `Webhook ${id} has a new secret; the one before signs beside it for 24 hours.\nSecret (shown only once): ${secret}`,
      );
    });

  webhooks
    .command("delete")
    .description("Delete a webhook and the list of its deliveries.")
    .argument(...WEBHOOK)
    .action(async (id: string) => {
      const { all } = await here();
      await all.remove(id);
      ops.terminal.show({ webhook_id: id, status: "deleted" }, `Webhook ${id} is deleted.`);
    });

  function sending(
    name: string,
    description: string,
    send: (all: Webhooks, id: string, delivery?: string) => Promise<Sent>,
    argument?: readonly [string, string],
  ): void {
    const command = webhooks
      .command(name)
      .description(description)
      .argument(...WEBHOOK);
    if (argument) command.argument(...argument);
    command.action(async (...given: unknown[]) => {
      const { all, sentText } = await here();
      const [id, delivery] = given.filter((each) => typeof each === "string");
      const sent = await send(all, id!, delivery);
      if ("unavailable" in sent || !sent.delivery.delivered) ops.terminal.exitCode = 1;
      ops.terminal.show("delivery" in sent ? sent.delivery : { unavailable: sent.unavailable }, sentText(sent));
    });
  }

  return webhooks;
}

const activity = ({ status }: Webhook, said: string): string =>
  status === "active" ? said : `${said} \`ops webhooks resume\` asks it again.`;

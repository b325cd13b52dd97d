import type { Client } from "@elastic/elasticsearch";
import type { AuditAction } from "@tranche/shared/accounts/audit";
import { createAuditedDocuments } from "@tranche/shared/accounts/documents";
import { collected, searchAll } from "@tranche/shared/engines/search/search-all";
import { type Webhook, webhookDocumentId, WebhookError } from "./webhook.ts";

/** The webhooks of all accounts. Every change goes with its entry in the audit log. */
export type WebhookStore = {
  create(webhook: Webhook): Promise<void>;
  /** The newest state of a webhook; undefined when there is none or it was deleted. */
  find(id: string): Promise<Webhook | undefined>;
  /** Those of an account, the oldest first. */
  ofAccount(handle: string): Promise<Webhook[]>;
  /** All that there are, also what is left of deleted ones. */
  all(): Promise<Webhook[]>;
  /** All active ones. */
  active(): Promise<Webhook[]>;
  /** All that are paused, by whomever. */
  paused(): Promise<Webhook[]>;
  /** Rejects with a WebhookError when there is none; what `next` throws is passed on. */
  change(id: string, action: AuditAction, next: (webhook: Webhook) => Partial<Webhook>): Promise<Webhook>;
  /** Removes what is left of a deleted one. */
  forget(id: string): Promise<void>;
};

/** Kept with the accounts. `actor`: as the audit log names it. `now`: real time in ms. */
export function createWebhookStore(
  client: Client,
  index: string,
  { actor, now = Date.now }: { actor: string; now?: () => number },
): WebhookStore {
  const documents = createAuditedDocuments(client, index, { actor, now });
  const withStatus = async (wanted: Webhook["status"]) => (await store.all()).filter(({ status }) => status === wanted);
  const store: WebhookStore = {
    async create(webhook) {
      const { webhook_id, account, list, url } = webhook;
      const entry = documents.entry("webhook.create", account, { details: { webhook_id, list, url } });
      // `key_id` is the id that the index sorts by.
      await documents.create(webhookDocumentId(webhook_id), { ...webhook, key_id: webhook_id }, entry);
    },
    async find(id) {
      const found = await client.get<Webhook>({ index, id: webhookDocumentId(id) }, { ignore: [404] });
      return found.found && found._source!.status !== "deleted" ? found._source : undefined;
    },
    async ofAccount(handle) {
      const found = await documents.all<Webhook>([{ term: { kind: "webhook" } }, { term: { account: handle } }]);
      return found
        .filter(({ status }) => status !== "deleted")
        .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    },
    all() {
      const query = { term: { kind: "webhook" } };
      return collected(searchAll<Webhook>(client, { index, query, sort: ["key_id"], source: true }));
    },
    active: () => withStatus("active"),
    paused: () => withStatus("paused"),
    async change(id, action, next) {
      const before = await store.find(id);
      if (!before) throw noWebhook(id);
      const entry = documents.entry(action, before.account, { details: { webhook_id: id } });
      const { document } = await documents.change<Webhook>(webhookDocumentId(id), entry, missing(id), (webhook) => {
        if (webhook.status === "deleted") throw noWebhook(id);
        return { ...webhook, ...next(webhook), changed_at: new Date(now()).toISOString() };
      });
      return document;
    },
    async forget(id) {
      await client.delete({ index, id: webhookDocumentId(id), refresh: true }, { ignore: [404] });
    },
  };
  return store;
}

const missing = (id: string) => `There is no webhook '${id}'. \`ops webhooks list\` shows them.`;
export const noWebhook = (id: string) => new WebhookError(missing(id));

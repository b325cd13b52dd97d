import type { Client } from "@elastic/elasticsearch";
import { deleteWhere } from "@tranche/shared/engines/search/delete-where";
import { WebhookError } from "./webhook.ts";

/** One attempt to reach a receiver. */
export type Delivery = {
  kind: "delivery";
  delivery_id: string;
  webhook: string;
  account: string;
  purpose: "changes" | "challenge" | "test" | "resend";
  /** The header `webhook-id`: the same for the same content. */
  message_id: string;
  /** ISO time at which it was sent. */
  at: string;
  took_ms: number;
  delivered: boolean;
  /** The status of the answer; null when there was none. */
  status: number | null;
  /** Why it failed, for people; null for a success. */
  reason: string | null;
  /** The beginning of the answer, at most 4 KiB. */
  answer: string;
  /** Ids of the documents whose changes it held, in their order. */
  ids: string[];
};

/** How long deliveries are listed. */
export const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

const documentId = (delivery: string) => `delivery:${delivery}`;

export type DeliveryLog = {
  add(delivery: Delivery): Promise<void>;
  /** The delivery with this id; undefined when there is none. */
  find(delivery: string): Promise<Delivery | undefined>;
  /** The newest deliveries of a webhook, at most `limit`. */
  newest(webhook: string, limit: number): Promise<Delivery[]>;
  /** Removes those older than 30 days; returns how many. */
  prune(): Promise<number>;
  /** Removes everything of a webhook, its progress too. */
  forget(webhook: string): Promise<void>;
};

/** `now`: real time in ms. */
export function createDeliveryLog(client: Client, index: string, now: () => number = Date.now): DeliveryLog {
  return {
    async add(delivery) {
      await client.index({ index, id: documentId(delivery.delivery_id), document: delivery });
    },
    async find(delivery) {
      const found = await client.get<Delivery>({ index, id: documentId(delivery) }, { ignore: [404] });
      return found.found ? found._source : undefined;
    },
    async newest(webhook, limit) {
      // Nobody refreshes after each delivery: deliveries are listed seldom.
      await client.indices.refresh({ index });
      const found = await client.search<Delivery>({
        index,
        size: limit,
        query: { bool: { filter: [{ term: { kind: "delivery" } }, { term: { webhook } }] } },
        sort: [{ at: "desc" }],
      });
      return found.hits.hits.map((hit) => hit._source!);
    },
    async prune() {
      await client.indices.refresh({ index });
      const before = new Date(now() - KEPT_DAYS * DAY_MS).toISOString();
      const filter = [{ term: { kind: "delivery" } }, { range: { at: { lt: before } } }];
      return deleteWhere(client, index, { bool: { filter } });
    },
    async forget(webhook) {
      await client.indices.refresh({ index });
      await deleteWhere(client, index, { term: { webhook } });
    },
  };
}

/** The delivery of a webhook whose documents are to be sent again. Rejects with a WebhookError when it has none. */
export async function sentAgain(log: Pick<DeliveryLog, "find">, webhook: string, id: string): Promise<Delivery> {
  const delivery = await log.find(id);
  if (delivery?.webhook !== webhook) throw new WebhookError(`The webhook has no delivery '${id}'.`);
  if (delivery.ids.length === 0) throw new WebhookError(`The delivery '${id}' has no changes to send again.`);
  return delivery;
}

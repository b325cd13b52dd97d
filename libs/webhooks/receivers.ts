import type { FollowStore } from "./follow-store.ts";
import type { WebhookStore } from "./webhook-store.ts";

/** A webhook or a follow in Slack: the plan of an account limits both together. */
type Receiver = { id: string; isActive: boolean };

/** Those of an account. */
export type ReceiversOf = (account: string) => Promise<Receiver[]>;

export const createReceiversOf =
  (webhooks: Pick<WebhookStore, "ofAccount">, follows: Pick<FollowStore, "inSlack">): ReceiversOf =>
  async (account) => {
    const [called, inSlack] = await Promise.all([webhooks.ofAccount(account), follows.inSlack(account)]);
    return [
      ...called.map(({ webhook_id: id, status }) => ({ id, isActive: status === "active" })),
      ...inSlack.map(({ follow_id: id, status }) => ({ id, isActive: status === "active" })),
    ];
  };

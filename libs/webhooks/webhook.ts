import type { FeedModel } from "@tranche/shared/protocol/feed/keys";

/** The lists that webhooks follow. */
export const WEBHOOK_LISTS = ["funding", "signals"] as const;
export type WebhookList = (typeof WEBHOOK_LISTS)[number];

/** The read model whose feed has the changes of a list. */
export const FEED_OF_LIST: Readonly<Record<WebhookList, FeedModel>> = { funding: "funding", signals: "companies" };

/** A secret as it is stored: encrypted with the key of the settings. The first of a webhook is the newest. */
export type StoredSecret = {
  sealed: string;
  /** ISO time after which it no longer signs; null: until it is rotated. */
  expires_at: string | null;
};

/** `pending`: its URL has not answered a challenge yet. */
type WebhookStatus = "pending" | "active" | "paused" | "deleted";

/** The reason of one that its owner paused. Every other pause is the service's. */
export const PAUSED_BY_OWNER = "Paused by its owner.";

const CHOOSE = "Resume it from now, or from the start.";
/** The reasons of webhooks whose position is no longer of use. They are resumed from now or from the start. */
export const EXPIRED = `It has not been delivered to for more than 30 days, or the data was restored. ${CHOOSE}`;
export const RESTORED = `Where its deliveries stood is not known: the data was restored. ${CHOOSE}`;

/** A subscription to the changes of a filtered list. Stored with the accounts. */
export type Webhook = {
  kind: "webhook";
  webhook_id: string;
  account: string;
  name: string;
  list: WebhookList;
  /** Filters as after the `?` of a request to the list, in their canonical form. */
  query: string;
  url: string;
  secrets: StoredSecret[];
  status: WebhookStatus;
  /** Why it is pending or paused, for people. */
  reason: string | null;
  created_at: string;
  /** E-mail address of a member, or the operator who created it. */
  created_by: string;
  changed_at: string;
  /** When it was last paused; missing until then. */
  paused_at?: string;
};

/** The fields that pausing changes. `now`: ms. */
export const pausedAt = (now: number, reason: string): Pick<Webhook, "status" | "reason" | "paused_at"> => ({
  status: "paused",
  reason,
  paused_at: new Date(now).toISOString(),
});

/** Whether a webhook can't go on where it stopped. */
export const hasLostItsPlace = ({ status, reason }: Pick<Webhook, "status" | "reason">): boolean =>
  status === "paused" && (reason === EXPIRED || reason === RESTORED);

/** The rest of a deleted webhook, until everything of it is removed. */
export const DELETED: Pick<Webhook, "status" | "secrets" | "reason"> = { status: "deleted", secrets: [], reason: null };

export const webhookDocumentId = (id: string): string => `webhook:${id}`;

/** Raised for people: there is no such webhook, or it can't be created or changed like that. `problems`: of its filters. */
export class WebhookError extends Error {
  override name = "WebhookError";
  readonly problems: readonly { parameter: string; message: string }[];

  constructor(message: string, problems: readonly { parameter: string; message: string }[] = []) {
    super(message);
    this.problems = problems;
  }
}

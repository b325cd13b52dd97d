import type { AccountStore } from "@tranche/shared/accounts/account-store";
import { removeLeftovers, removeWebhook } from "@tranche/webhooks/removal";
import type { WebhookParts } from "./parts.ts";

type GoneParts = Pick<WebhookParts, "webhooks" | "deliveries"> & { accounts: Pick<AccountStore, "accounts"> };

/** Removes the webhooks of deleted accounts, and what is left of deleted webhooks. */
export async function removeGone(parts: GoneParts): Promise<void> {
  const webhooks = await parts.webhooks.all();
  if (webhooks.length === 0) return;
  const accounts = await parts.accounts.accounts();
  const deleted = new Set(accounts.filter(({ status }) => status === "deleted").map(({ account }) => account));
  for (const { webhook_id, account, status } of webhooks) {
    if (status === "deleted") await removeLeftovers(parts, webhook_id);
    else if (deleted.has(account)) await removeWebhook(parts, webhook_id);
  }
}

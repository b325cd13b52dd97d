import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { createDigestStore } from "@tranche/webhooks/digest-store";
import { createFollowStore } from "@tranche/webhooks/follow-store";
import { createWebhookFilters } from "@tranche/webhooks/followed-lists";
import { createProgressStore } from "@tranche/webhooks/progress";
import type { PipelineParts } from "../pipeline/parts.ts";
import type { DigestParts } from "./make-digests.ts";

/** The parts that make digests of follows. */
export function createDigestParts(
  parts: Pick<PipelineParts, "client" | "names" | "dealTypes" | "log"> &
    Pick<DigestParts, "redis" | "namespace" | "now" | "lookEveryMs">,
): DigestParts {
  const { client, names, dealTypes } = parts;
  return {
    ...parts,
    accounts: createAccountStore(client, names),
    follows: createFollowStore(client, names, { actor: "indexer" }),
    progress: createProgressStore(client, names.deliveries),
    digests: createDigestStore(client, names.deliveries),
    filters: createWebhookFilters(dealTypes),
  };
}

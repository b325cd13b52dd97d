import type { Logger } from "@tranche/shared/process/logger";
import { outcomeText } from "@tranche/webhooks/outcome-text";
import type { Sent } from "@tranche/webhooks/sending";
import { PageError } from "@tranche/http/errors/page-error";

/** How a message to a receiver went. Throws `unavailable` when no indexer could send it. Only operators see the reason, because it may name engines and settings. */
export function sentView(sent: Sent, log: Pick<Logger, "warn">) {
  if ("unavailable" in sent) {
    log.warn({ reason: sent.unavailable }, "a message to the receiver of a webhook could not be sent");
    throw new PageError("unavailable", "The service can't send to receivers at the moment.");
  }
  return { delivered: sent.delivery.delivered, text: outcomeText(sent.delivery) };
}

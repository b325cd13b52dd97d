import type { Delivery } from "./delivery-log.ts";

/** How a delivery went, in a sentence for people. */
export const outcomeText = ({ delivered, status, took_ms, reason }: Delivery): string =>
  delivered ? `The receiver answered ${status} after ${took_ms} ms.` : (reason ?? "It was not delivered.");

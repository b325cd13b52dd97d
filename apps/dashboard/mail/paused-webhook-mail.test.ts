import { EXPIRED } from "@tranche/webhooks/subscriptions/webhook";
import { expect, test } from "vitest";
import { pausedWebhookMail } from "./paused-webhook-mail.ts";

const textOf = (reason: string) =>
  pausedWebhookMail(
    "ada@example.com",
    { name: "Deals", status: "paused", reason },
    { account: "Acme", page: "https://d/" },
  ).text;

test("it says that nothing is missed, unless the webhook can't go on where it stopped", () => {
  expect(textOf("The receiver answered 410 Gone.")).toContain("goes on where it stopped");
  expect(textOf(EXPIRED)).toContain("Resume it from now, or from the start.");
  expect(textOf(EXPIRED)).not.toContain("where it stopped");
});

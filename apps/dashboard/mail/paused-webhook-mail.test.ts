import { EXPIRED } from "@tranche/webhooks/webhook";
import { expect, test } from "vitest";
import { pausedWebhookMail } from "./paused-webhook-mail.ts";

const textOf = (reason: string) =>
  pausedWebhookMail(
    "ada@example.com",
    { name: "Deals", status: "paused", reason },
    { account: "Acme", page: "https://d/" },
  ).text;

test.each([
  ["CLICK http://evil.example/3 NOW", "CLICK … NOW"],
  ["go to evil.example", "go to …"],
  ["(www.evil.example/a?b)", "…"],
  ["write to mallory@evil", "write to …"],
  ["evil\u{ff0e}example", "…"],
  ["Deals v1.2, 3.5 M", "Deals v1.2, 3.5 M"],
])("a name %s leads nowhere", (name, shown) => {
  const { text, html } = pausedWebhookMail(
    "ada@example.com",
    { name, status: "paused", reason: `No answer from ${name}` },
    { account: "Acme", page: "https://d/" },
  );
  expect(text).toContain(`The webhook “${shown}” of`);
  expect(text).toContain(`Why: No answer from ${shown}`);
  expect(html).not.toContain("evil");
});

test("it says that nothing is missed, unless the webhook can't go on where it stopped", () => {
  expect(textOf("The receiver answered 410 Gone.")).toContain("goes on where it stopped");
  expect(textOf(EXPIRED)).toContain("Resume it from now, or from the start.");
  expect(textOf(EXPIRED)).not.toContain("where it stopped");
});

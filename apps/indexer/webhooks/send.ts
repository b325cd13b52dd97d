import { createPost, type Attempt } from "@tranche/webhooks/post";
import { Webhook } from "standardwebhooks";
import type { Dispatcher } from "undici";

/** A message. `secrets`: all that sign, the newest first. `at`: ms. */
export type Message = { url: string; secrets: readonly string[]; id: string; body: string; at: number };

export type Send = (message: Message) => Promise<Attempt>;

/** Sends messages as Standard Webhooks says. Never rejects. An answer of 2xx within 10 s is success. */
export function createSend(dispatcher: Dispatcher): Send {
  const post = createPost(dispatcher);
  return (message) => post(message.url, message.body, signed(message));
}

function signed({ secrets, id, body, at }: Message): Record<string, string> {
  const time = new Date(at);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, time, body)).join(" "),
  };
}

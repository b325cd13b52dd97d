import { z } from "zod";

const timestamp = z.iso.datetime().meta({ description: "When the message was made." });
const webhook = z.string().meta({ description: "The id of the webhook." });

/** A message of a webhook; `id`: its name in the OpenAPI document. */
const message = (id: string, type: string, data: z.ZodType) =>
  z.strictObject({ type: z.literal(type), timestamp, data }).meta({ id });

/** Changes of a list; `changes`: the schema of several of them, as a page of the feed has them. */
export const changesMessage = (id: string, list: "funding" | "signals", changes: z.ZodType) =>
  message(id, `${list}.changed`, z.strictObject({ webhook, list: z.literal(list), changes }));

export const challengeMessage = message(
  "ChallengeMessage",
  "webhook.challenge",
  z.strictObject({ webhook, challenge: z.string() }),
);

export const testMessage = message("TestMessage", "webhook.test", z.strictObject({ webhook }));

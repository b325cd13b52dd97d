import type { z } from "zod";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { MEDIA_TYPES } from "../present/formats.ts";
import { challengeMessage, changesMessage, testMessage } from "../responses/webhook-messages.ts";
import { EXAMPLES } from "./examples.ts";
import type { JsonSchema, Schemas } from "./schemas.ts";

const WEBHOOK = "5a0c6e1e-6f3e-4a5e-9d0e-1f0b9d1c2a3b";
const TIMESTAMP = "2025-03-15T08:00:02.000Z";

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

/** Standard Webhooks names them. */
const SIGNATURE = [
  header("webhook-id", "Identifies the message: one that you have seen before is a repetition."),
  header("webhook-timestamp", "When the attempt was made, in seconds since 1970."),
  header("webhook-signature", "Signatures of id, timestamp and body, one for each secret, with a blank in between."),
];

const ACCEPTED = { "2XX": { description: "Accepted, within 10 seconds. Anything else is tried again." } };
const ACCEPTED_OR_PAUSED = { ...ACCEPTED, 410: { description: "Pauses the webhook at once." } };

/** The messages of webhooks, by their type. */
export function webhookOperations({ fundingChanges, signalsChanges }: Endpoints, schemas: Schemas): JsonSchema {
  const post = (
    type: string,
    { id, summary, description, schema, data, responses = ACCEPTED_OR_PAUSED }: Message,
  ): [string, JsonSchema] => [
    type,
    {
      post: {
        operationId: id,
        tags: ["Webhooks"],
        summary,
        description,
        security: [],
        parameters: SIGNATURE,
        requestBody: {
          required: true,
          content: {
            [MEDIA_TYPES.json]: {
              schema: schemas.answerSchema(schema),
              example: { type, timestamp: TIMESTAMP, data: { webhook: WEBHOOK, ...data } },
            },
          },
        },
        responses,
      },
    },
  ];
  return Object.fromEntries([
    post("funding.changed", {
      id: "receiveFundingChanges",
      summary: "Funding rounds changed",
      description: `Up to 100 changes of the funding rounds that match the webhook's filters. ${IN_ORDER}`,
      schema: changesMessage("FundingChangesMessage", "funding", changesOf(fundingChanges)),
      data: { list: "funding", changes: EXAMPLES.fundingChanges.data },
    }),
    post("signals.changed", {
      id: "receiveSignalsChanges",
      summary: "Companies with signals changed",
      description: `Up to 100 changes of the companies with a live signal that match the webhook's filters. ${IN_ORDER}`,
      schema: changesMessage("SignalsChangesMessage", "signals", changesOf(signalsChanges)),
      data: { list: "signals", changes: EXAMPLES.signalsChanges.data },
    }),
    post("webhook.challenge", {
      id: "receiveChallenge",
      summary: "Asks whether you want deliveries",
      description:
        "A webhook becomes active when the body of the answer contains the HMAC-SHA256 of `data.challenge` in base64, with the bytes of the secret as its key.",
      schema: challengeMessage,
      data: { challenge: "0d9f3f5e-6a3c-4a43-8f0b-1f7a4f3a9b52" },
      responses: { "2XX": { description: "Accepted, if the body contains the HMAC." } },
    }),
    post("webhook.test", {
      id: "receiveTest",
      summary: "A test",
      description: "A message without changes, which a member or an operator sends to try a receiver.",
      schema: testMessage,
      data: {},
      responses: ACCEPTED,
    }),
  ]);
}

/** The schema of the changes in a page of the feed. */
const changesOf = ({ response }: Endpoint) => (response as z.ZodObject).shape["data"] as z.ZodType;

const IN_ORDER = "They come in order and at least once. The next delivery follows after this one was accepted.";

type Message = {
  id: string;
  summary: string;
  description: string;
  schema: z.ZodType;
  /** Of the example, beside the webhook. */
  data: object;
  responses?: JsonSchema;
};

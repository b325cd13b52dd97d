import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { QUEUES, type WebhookJob } from "@tranche/shared/protocol/queue/queues";
import { chunks } from "@tranche/shared/engines/search/chunks";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import { createWebhooks } from "@tranche/webhooks/operations";
import { challengeAnswer } from "../../../apps/indexer/webhooks/challenge-answer.ts";
import type { Queue } from "bullmq";
import type { Indexer } from "../environment/indexer.ts";
import type { Environment } from "../environment/environment.ts";

const AT_ONCE = 20;

/** One server for all webhooks that counts the changes it gets. */
export async function startReceivers() {
  let changes = 0;
  const secrets = new Map<string, string>();
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const { data } = JSON.parse(text) as {
        data: { webhook: string; challenge?: string; changes?: unknown[] };
      };
      changes += data.changes?.length ?? 0;
      response.end(data.challenge && challengeAnswer(secrets.get(data.webhook)!, data.challenge));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    changes: () => changes,
    secrets,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Creates webhooks that follow all rounds from now on, each with filters of its own. */
export async function createFollowing(
  { client, redis, names, namespace }: Environment,
  indexer: Indexer,
  {
    key,
    receivers: { url, secrets },
    count,
  }: { key: Buffer<ArrayBuffer>; receivers: { url: string; secrets: Map<string, string> }; count: number },
): Promise<void> {
  const plans = { scale: { ...DEFAULT_PLANS["scale"]!, webhooks: 100_000 } };
  const webhooks = createWebhooks({
    client,
    redis,
    names,
    queue: indexer.queue(QUEUES.webhooks) as Queue<WebhookJob>,
    settings: {
      TRANCHE_NAMESPACE: namespace,
      TRANCHE_WEBHOOK_KEY: key,
      TRANCHE_WEBHOOK_TARGETS: "any",
      TRANCHE_PUBLIC_URL: undefined,
      TRANCHE_DASHBOARD_URL: undefined,
    },
    plans: () => plans,
    dealTypes: readDealTypes(undefined),
    actor: "bench",
  });
  const [account] = await client
    .search<{ account: string }>({ index: names.accounts, query: { term: { kind: "account" } }, size: 1 })
    .then(({ hits }) => hits.hits.map((hit) => hit._source!.account));
  for (const some of chunks(
    Array.from({ length: count }, (_, n) => n),
    AT_ONCE,
  )) {
    await Promise.all(
      some.map(async (n) => {
        const made = await webhooks.create({
          account: { account: account!, plan: "scale", status: "active" },
          name: String(n),
          list: "funding",
          // Every round of the benchmark matches each of them.
          query: `investors=!nobody-${n}`,
          url,
          from: "now",
          created_by: "bench",
        });
        secrets.set(made.webhook.webhook_id, made.secret);
        const { webhook } = await webhooks.resume(made.webhook.webhook_id, "scale");
        if (webhook.status !== "active") throw new Error(`a webhook is ${webhook.status}: ${webhook.reason}`);
      }),
    );
  }
}

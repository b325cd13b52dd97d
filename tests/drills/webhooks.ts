import { setTimeout as pause } from "node:timers/promises";
import type { Webhooks } from "@tranche/webhooks/operations";
import type { Webhook } from "@tranche/webhooks/webhook";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";
import { company, deletion } from "../support/writes.ts";
import { type Drill, seconds } from "./drill.ts";
import { type Installation, judge, newAccount, until, withInstallation } from "./installation.ts";
import type { Random } from "./random.ts";
import { openWebhooks, WEBHOOK_ENV } from "./webhook-operations.ts";
import { randomRound } from "./workload.ts";

const COUNTRIES = ["US", "DE", "FR", "GB"];
/** As after the `?` of a request, and the same as a query of Elasticsearch. */
const FILTERS: readonly [string, object][] = [
  ["", { match_all: {} }],
  ...COUNTRIES.map((code): [string, object] => [`country=${code}`, { term: { country: code } }]),
  ["deal_types=seed", { term: { deal_type: "seed" } }],
];
/** What goes wrong with receivers for a while. */
const TROUBLES: readonly ((receiver: Receiver, elsewhere: Receiver) => void)[] = [
  () => {},
  (receiver) => (receiver.mode = "break"),
  (receiver) => (receiver.mode = "silence"),
  (receiver) => (receiver.beforeAnswer = () => pause(3000)),
  (receiver) => (receiver.status = 500),
  (receiver) => (receiver.status = 410),
  (receiver, { url }) => (receiver.mode = url as Receiver["mode"]),
];

type Follower = { receiver: Receiver; webhook: Webhook; condition: object };

export const webhooks: Drill = {
  name: "webhooks",
  about: "kill -9 of the indexer while receivers of webhooks are down, slow, redirect or are not allowed",
  async run(context) {
    const { random, say, size } = context;
    const {
      followers: wanted,
      rounds,
      writes,
      kills,
      equalWithinMs,
    } = size === "full"
      ? { followers: 100, rounds: 300, writes: 3000, kills: 10, equalWithinMs: 300_000 }
      : { followers: 14, rounds: 30, writes: 150, kills: 2, equalWithinMs: 60_000 };
    const receivers: Receiver[] = [];
    const newReceiver = async () => {
      const receiver = await startReceiver();
      receivers.push(receiver);
      return receiver;
    };
    try {
      return await withInstallation(context, { env: WEBHOOK_ENV }, async (installation) => {
        const { queues, service } = installation;
        const manage = openWebhooks(installation);
        const elsewhere = await newReceiver();
        const account = await newAccount(service);
        const followers = await createAll(manage, account, wanted, newReceiver);
        say(`${followers.length} webhooks are active`);

        const all: RecordWrite[] = COUNTRIES.map((code, n) => company(1, `co-${n}`, { country: code }));
        await queues.send(all);
        followers.forEach(({ receiver }, n) => TROUBLES[n % TROUBLES.length]!(receiver, elsewhere));
        for (let kill = 0; kill < kills; kill++) {
          const some = randomWrites(random, 2 + kill * writes, Math.ceil(writes / kills), rounds);
          all.push(...some);
          await queues.send(some, 20);
          await pause(500 + random.below(3000));
          await installation.killIndexer();
          say(`killed the indexer, the ${kill + 1}. time`);
          await installation.startIndexer();
        }
        await queues.settled(600_000);

        const forbidden = await whileForbidden(installation, receivers, () => {
          const some = randomWrites(random, 2 + kills * writes, 20, rounds);
          all.push(...some);
          return queues.send(some, 20);
        });
        for (const { receiver } of followers)
          Object.assign(receiver, { mode: "normal", status: 200, beforeAnswer: async () => {} });
        await Promise.all(followers.map(({ webhook }) => manage.resume(webhook.webhook_id, "scale")));
        const missing = async () =>
          (await Promise.all(followers.map((each) => differs(installation, each)))).filter(Boolean);
        let left: unknown[] = followers;
        const ms = await until("every webhook has what its list shows", equalWithinMs, async () => {
          left = await missing();
          return left.length === 0;
        }).catch(() => equalWithinMs);
        const { checks, figures } = await judge(context, installation, all, { withinMs: 600_000 });
        return {
          checks: {
            ...checks,
            "every receiver has what its list shows": left.length === 0,
            "changes of a document come in their order": followers.every(({ receiver }) => isInOrder(receiver)),
            "receivers accept every signature": receivers.every(({ unsigned }) => unsigned.length === 0),
            "no redirect is followed": elsewhere.messages.length === 0,
            "nothing is sent to a forbidden address": forbidden === 0,
          },
          figures: {
            webhooks: followers.length,
            kills,
            messages: receivers.reduce((sum, { messages }) => sum + messages.length, 0),
            equal_after_seconds: seconds(ms),
            ...figures,
          },
        };
      });
    } finally {
      await Promise.all(receivers.map((each) => each.close()));
    }
  },
};

async function createAll(
  manage: Webhooks,
  account: string,
  count: number,
  newReceiver: () => Promise<Receiver>,
): Promise<Follower[]> {
  const followers: Follower[] = [];
  for (let n = 0; n < count; n++) {
    const [query, condition] = FILTERS[n % FILTERS.length]!;
    const receiver = await newReceiver();
    const made = await manage.create({
      account: { account, plan: "scale", status: "active" },
      name: `webhook ${n}`,
      list: "funding",
      query,
      url: receiver.url,
      from: "start",
      created_by: "drill",
    });
    receiver.secrets.push(made.secret);
    const { webhook } = await manage.resume(made.webhook.webhook_id, "scale");
    if (webhook.status !== "active") throw new Error(`webhook ${n} is ${webhook.status}: ${webhook.reason}`);
    followers.push({ receiver, webhook, condition });
  }
  return followers;
}

/** Writes of rounds. One in six is a deletion, and one in ten moves a company to another country. */
function randomWrites(random: Random, version: number, count: number, rounds: number): RecordWrite[] {
  return Array.from({ length: count }, (_, n) => {
    const id = `rnd-${random.below(rounds)}`;
    if (random.below(6) === 0) return deletion(version + n, "round", id);
    if (random.below(10) === 0)
      return company(version + n, `co-${random.below(COUNTRIES.length)}`, { country: random.pick(COUNTRIES) });
    return randomRound(random, version + n, id, { companies: COUNTRIES.length, investors: 1 });
  });
}

/** Restarts the indexer so that it may send to public addresses alone, has something written, and counts what arrives all the same. */
async function whileForbidden(
  installation: Installation,
  receivers: Receiver[],
  write: () => Promise<void>,
): Promise<number> {
  await installation.killIndexer();
  const strict = await installation.service.startIndexer({ TRANCHE_WEBHOOK_TARGETS: "public" });
  for (const receiver of receivers)
    Object.assign(receiver, { mode: "normal", status: 200, beforeAnswer: async () => {} });
  const count = () => receivers.reduce((sum, { messages }) => sum + messages.length, 0);
  const before = count();
  await write();
  await installation.queues.settled(60_000);
  await pause(5000);
  const arrived = count() - before;
  strict.kill("SIGKILL");
  await installation.startIndexer();
  return arrived;
}

/** Whether a receiver's copy is other than what the live index shows with its filters. */
async function differs({ client, names }: Installation, { receiver, condition }: Follower): Promise<boolean> {
  const found = await client.search<{ row: string }>({
    index: names.role("funding", "live"),
    size: 10_000,
    query: { bool: { filter: [{ term: { listed: true } }, condition] } },
    _source: ["row"],
  });
  const shown = new Map(found.hits.hits.map((hit) => [hit._id!, hit._source!.row]));
  const copy = receiver.copy();
  return (
    shown.size !== copy.size ||
    [...shown].some(([id, row]) => JSON.stringify(copy.get(id)) !== JSON.stringify(JSON.parse(row)))
  );
}

function isInOrder(receiver: Receiver): boolean {
  const last = new Map<string, string>();
  return receiver.changes().every(({ id, changed_at }) => {
    const before = last.get(id) ?? "";
    last.set(id, changed_at);
    return before <= changed_at;
  });
}

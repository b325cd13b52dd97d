import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { QUEUES, type WebhookJob } from "@tranche/shared/protocol/queue/queues";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { purgedKey } from "@tranche/shared/protocol/feed/keys";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import type { Begin } from "@tranche/webhooks/allowance";
import { createDeliveryLog } from "@tranche/webhooks/delivery-log";
import { createProgressStore } from "@tranche/webhooks/progress";
import { secretsAt } from "@tranche/webhooks/secrets";
import { createWebhooks } from "@tranche/webhooks/operations";
import { DELETED, webhookDocumentId } from "@tranche/webhooks/webhook";
import { createWebhookStore } from "@tranche/webhooks/webhook-store";
import type { Queue } from "bullmq";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeGone } from "../apps/indexer/webhooks/gone.ts";
import { prepareGuideReceiver } from "./support/guide-receiver.ts";
import { timing } from "./support/pauses.ts";
import { type Receiver, startReceiver } from "./support/webhook-receiver.ts";
import { withService } from "./support/with-service.ts";
import { company, deletion, round } from "./support/writes.ts";

const key = randomBytes(32);
const env = { TRANCHE_WEBHOOK_KEY: key.toString("base64"), TRANCHE_WEBHOOK_TARGETS: "any" };
const logged: string[] = [];
const { service, queues, client, names } = withService({
  start: ["indexer"],
  env,
  onOutput: (text) => void logged.push(text),
});
/** Ten looks of an indexer for changes. */
const SHORT_MS = 10 * timing.webhooksLook;
const receivers: Receiver[] = [];
let account: string;
let version = 10;

type Shown = {
  webhook_id: string;
  status: string;
  reason: string | null;
  secret: string;
  failures: number;
  next_attempt_at: string | null;
};
type Delivery = { delivery_id: string; purpose: string; status: number | null; ids: string[] };

beforeAll(async () => {
  account = await newAccount("scale");
  await write(company(version++, "c1", { country: "DE" }), round(version++, "r1", "c1"), round(version++, "r2", "c1"));
});
afterAll(() => Promise.all(receivers.map((each) => each.close())));

const newAccount = async (plan: string): Promise<string> =>
  (await accounts.createAccount({ name: "Test", plan })).account;
async function write(...writes: Parameters<typeof queues.send>[0]) {
  await queues.send(writes, 1);
  await queues.settled();
}
async function ops<T>(...args: string[]): Promise<T> {
  const { stdout, stderr } = await service.ops(["webhooks", ...args, "--json"]);
  expect(stdout, stderr).not.toBe("");
  return JSON.parse(stdout) as T;
}
async function receiver(): Promise<Receiver> {
  const started = await startReceiver();
  receivers.push(started);
  return started;
}
/** From now on the receiver answers only when the returned function is called. */
function hold(to: Receiver): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  to.beforeAnswer = () => promise;
  return resolve;
}
/** By commands, as operators make one. */
async function webhookByOps(to: Receiver, ...options: string[]): Promise<Shown> {
  const made = await ops<Shown>("create", "--account", account, "--list", "funding", "--url", to.url, ...options);
  to.secrets.push(made.secret);
  return { ...made, ...(await ops<Shown>("resume", made.webhook_id)) };
}
async function until(what: string, holds: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  await expect.poll(holds, { message: what, timeout: withinMs }).toBe(true);
}
const show = (id: string) => ops<Shown>("show", id);
/** Its state, for looks that are repeated: a command takes many times as long. */
async function stateOf(id: string) {
  const { webhook: found, progress } = await managed().find(id);
  return { status: found.status, failures: progress?.failures ?? 0 };
}
/** The newest delivery with changes of a document. A delivery is recorded after its receiver has answered. */
async function deliveryOf(webhook_id: string, id: string): Promise<Delivery> {
  let found: Delivery | undefined;
  await until("its delivery is recorded", async () => {
    found = (await managed().deliveries(webhook_id, 100)).find(({ ids }) => ids.includes(id));
    return found !== undefined;
  });
  return found!;
}
/** Webhooks as the dashboard manages them, in this process. */
const managed = (queue: Queue<WebhookJob> = queues.queue<WebhookJob>(QUEUES.webhooks)) =>
  createWebhooks({
    client,
    redis: queues.redis,
    names,
    queue,
    settings: {
      TRANCHE_NAMESPACE: service.namespace,
      TRANCHE_WEBHOOK_KEY: key,
      TRANCHE_WEBHOOK_TARGETS: "any",
      TRANCHE_PUBLIC_URL: undefined,
      TRANCHE_DASHBOARD_URL: undefined,
    },
    plans: () => DEFAULT_PLANS,
    dealTypes: readDealTypes(undefined),
    actor: "test",
  });
type Wanted = { query?: string; from?: Begin };
const inputFor = (handle: string, plan: string, { url }: Receiver, { query = "", from = "now" }: Wanted = {}) =>
  ({
    account: { account: handle, plan, status: "active" },
    name: "Test",
    list: "funding",
    query,
    url,
    from,
    created_by: "test",
  }) as const;
/** A new webhook whose receiver has been asked for the first time. */
async function webhook(to: Receiver, wanted?: Wanted, [handle, plan] = [account, "scale"]) {
  const made = await managed().create(inputFor(handle, plan, to, wanted));
  to.secrets.push(made.secret);
  const { webhook: asked } = await managed().resume(made.webhook.webhook_id, plan);
  return { ...asked, secret: made.secret };
}
/** An active webhook of an account. */
async function active(handle: string, plan: string, to: Receiver): Promise<string> {
  const { webhook_id, status } = await webhook(to, {}, [handle, plan]);
  expect(status).toBe("active");
  return webhook_id;
}
const accounts = createAccountStore(client, names);
const isStored = (id: string) => client.exists({ index: names.accounts, id: webhookDocumentId(id) });
const refusal = async (...args: string[]) => (await ops<{ error: { message: string } }>(...args)).error.message;

describe("a webhook", () => {
  test("is active once its receiver has answered the challenge, and gets what changes from then on, in order", async () => {
    const to = await receiver();
    const { webhook_id, status } = await webhookByOps(to, "--filters", "country=DE");
    expect(status).toBe("active");
    expect(to.messages.map(({ type }) => type)).toEqual(["webhook.challenge"]);
    await write(round(version++, "r3", "c1"));
    await until("it has arrived", () => to.copy().has("r3"));
    await write(
      deletion(version++, "round", "r3"),
      company(version++, "c2", { country: "FR" }),
      round(version++, "r4", "c2"),
    );
    const ofR3 = () => to.changes().filter(({ id }) => id === "r3");
    await until("the removal is delivered", () => ofR3().length === 2);
    expect(ofR3()).toMatchObject([
      { change: "upsert", id: "r3", row: { id: "r3", company: { country: "DE" } } },
      { change: "remove", id: "r3" },
    ]);
    // What was never there may be removed, too, when two jobs derive it at once. It never comes.
    expect(to.changes().filter(({ id, change }) => id !== "r3" && change === "upsert")).toEqual([]);
    expect(to.unsigned).toEqual([]);
    // A delivery is recorded after its receiver has answered.
    const deliveries = async () =>
      (await ops<Delivery[]>("deliveries", webhook_id))
        .filter(({ purpose, ids }) => purpose === "challenge" || ids.includes("r3"))
        .map(({ purpose, status: answered, ids }) => [purpose, answered, ids]);
    await expect.poll(deliveries).toEqual([
      ["changes", 200, ["r3"]],
      ["changes", 200, ["r3"]],
      ["challenge", 200, []],
    ]);
  });

  test("that begins at the start gets everything there is, and after a rebuild nothing twice", async () => {
    const to = await receiver();
    await webhook(to, { from: "start" });
    await until("all rounds are there", () => to.copy().size === 3);
    expect([...to.copy().keys()].toSorted()).toEqual(["r1", "r2", "r4"]);
    const before = to.changes().length;
    const { code, stderr } = await service.ops(["reindex", "--wait"]);
    expect(code, stderr).toBe(0);
    await write(round(version++, "r5", "c1"));
    await until("the new round is there", () => to.copy().has("r5"));
    expect(
      to
        .changes()
        .slice(before)
        .map(({ id }) => id),
    ).toEqual(["r5"]);
  });

  test("is tried again when its receiver fails, and continues where it stopped when it is resumed", async () => {
    const to = await receiver();
    const { webhook_id } = await webhook(to);
    to.status = 500;
    await write(round(version++, "r6", "c1"));
    // The next attempt is half a minute away then.
    await until("it has failed twice", async () => (await stateOf(webhook_id)).failures > 1);
    expect((await show(webhook_id)).next_attempt_at).not.toBe(null);
    to.status = 200;
    expect((await ops<Shown>("resume", webhook_id)).status).toBe("active");
    await until("it has arrived", () => to.copy().has("r6"), 20_000);
    expect(await show(webhook_id)).toMatchObject({ failures: 0, next_attempt_at: null });
    // What was sent twice has the same id, so receivers see it.
    const ids = to.messages.filter(({ changes }) => changes.length > 0).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
  });

  test("keeps the table of the guide's receiver equal to its list", async () => {
    const guide = await prepareGuideReceiver();
    try {
      const options = ["--account", account, "--list", "funding", "--url", guide.url, "--from", "start"];
      const { webhook_id, secret } = await ops<Shown>("create", ...options);
      await guide.start(secret);
      expect((await ops<Shown>("resume", webhook_id)).status).toBe("active");
      await write(round(version++, "r7", "c1"), round(version++, "r8", "c1"));
      await until("they have arrived", () => guide.copy().has("r7") && guide.copy().has("r8"));
      await write(deletion(version++, "round", "r8"));
      await until("it is removed", () => !guide.copy().has("r8"));
      expect([...guide.copy().keys()]).toEqual(expect.arrayContaining(["r1", "r2", "r7"]));
    } finally {
      await guide.close();
    }
  });

  test.for(["now", "start"] as const)(
    "that begins at '%s' gets the removal of what it took without its answer being heard",
    async (from) => {
      const to = await receiver();
      const { webhook_id } = await webhook(to, { query: "country=IT", from });
      const [owner, id] = [`it-${from}`, `r-it-${from}`];
      to.mode = "take";
      await write(company(version++, owner, { country: "IT" }), round(version++, id, owner));
      await until("it was taken", () => to.copy().has(id));
      await until("it counts as failed", async () => (await stateOf(webhook_id)).failures > 0);
      await write(deletion(version++, "round", id));
      to.mode = "normal";
      await ops("resume", webhook_id);
      await until("the removal has arrived", () => !to.copy().has(id));
    },
  );

  test("is paused by 410, and by its owner; meanwhile nothing is sent, and afterwards what was missed", async () => {
    const to = await receiver();
    const { webhook_id } = await webhook(to);
    to.status = 410;
    await write(round(version++, "r7", "c1"));
    await until("it is paused", async () => (await stateOf(webhook_id)).status === "paused");
    expect((await show(webhook_id)).reason).toContain("410 Gone");
    to.status = 200;
    await ops("resume", webhook_id);
    await until("it has arrived", () => to.copy().has("r7"));
    await ops("pause", webhook_id);
    const before = to.messages.length;
    await write(round(version++, "r8", "c1"));
    await pause(SHORT_MS);
    expect(to.messages.length).toBe(before);
    await ops("resume", webhook_id);
    await until("it has arrived", () => to.copy().has("r8"));
  });

  test("can be tested, sent earlier documents in their newest state, and given another secret", async () => {
    const to = await receiver();
    const { webhook_id, secret } = await webhook(to);
    expect(await ops<Delivery>("test", webhook_id)).toMatchObject({ purpose: "test", status: 200 });
    await write(round(version++, "r9", "c1", { amount_usd: 5 }));
    await until("it has arrived", () => to.copy().has("r9"));
    await write(deletion(version++, "round", "r9"));
    await until("it is removed", () => !to.copy().has("r9"));
    const first = await deliveryOf(webhook_id, "r9");
    const before = to.changes().length;
    expect(await ops<Delivery>("resend", webhook_id, first.delivery_id)).toMatchObject({
      purpose: "resend",
      ids: ["r9"],
    });
    expect(to.changes().slice(before)).toMatchObject([{ change: "remove", id: "r9" }]);
    const rotated = await ops<Shown>("rotate", webhook_id);
    expect(rotated.secret).not.toBe(secret);
    // Both sign for a day: a receiver with either one accepts.
    to.secrets.splice(0, 1, rotated.secret);
    await ops("test", webhook_id);
    to.secrets.splice(0, 1, secret);
    await ops("test", webhook_id);
    expect(to.unsigned).toEqual([]);
  });

  test("whose position has expired is paused until its owner says where it continues", async () => {
    const to = await receiver();
    const { webhook_id } = await webhook(to);
    await until("it is paused", async () => {
      // Again and again, because an indexer may show the stored state of the feed at any time, and then the change is delivered.
      await queues.redis.hset(purgedKey(service.namespace), "funding", 9e15);
      await write(round(version++, "r10", "c1"));
      return (await stateOf(webhook_id)).status === "paused";
    });
    await queues.redis.hset(purgedKey(service.namespace), "funding", 0);
    expect((await show(webhook_id)).reason).toContain("more than 30 days");
    expect(await refusal("resume", webhook_id)).toContain("Say where it goes on");
    await ops("resume", webhook_id, "--from", "start");
    await until("it has everything", () => to.copy().has("r10"));
    const again = await Promise.allSettled(
      Array.from({ length: 3 }, () => managed().resume(webhook_id, "scale", "start")),
    );
    for (const each of again) {
      expect(each).toMatchObject({
        status: "rejected",
        reason: { message: expect.stringMatching(/once in 24 hours.* It may again from 20\d\d-.*Z on\./) as string },
      });
    }
    await ops("resume", webhook_id, "--from", "now");
  });

  test("that is resumed while an attempt fails is tried again at once, and not paused", async () => {
    const to = await receiver();
    const { webhook_id } = await webhook(to);
    const answer = hold(to);
    to.status = 410;
    await write(round(version++, "r13", "c1"));
    await until("it is asked", () => to.messages.at(-1)?.status === 410);
    Object.assign(to, { status: 200, beforeAnswer: async () => {} });
    await managed().resume(webhook_id, "scale");
    expect(to.copy().has("r13")).toBe(false);
    answer();
    await until("it has arrived", () => to.copy().has("r13"));
    expect((await show(webhook_id)).status).toBe("active");
  });

  test("gets one message with changes at a time, also when earlier documents are sent again", async () => {
    const to = await receiver();
    const { webhook_id } = await webhook(to);
    await write(round(version++, "r14", "c1"));
    await until("it has arrived", () => to.copy().has("r14"));
    const first = await deliveryOf(webhook_id, "r14");
    const answerChange = hold(to);
    await write(round(version++, "r14", "c1", { amount_usd: 7 }));
    await until("it is under way", () => to.changes().length === 2);
    const sentAgain = managed().resend(webhook_id, first.delivery_id);
    await pause(SHORT_MS);
    expect(to.changes().length).toBe(2);
    const answerAgain = hold(to);
    answerChange();
    await until("it is sent again", () => to.changes().length === 3);
    await write(round(version++, "r14", "c1", { amount_usd: 8 }));
    await pause(SHORT_MS);
    expect(to.changes().length).toBe(3);
    to.beforeAnswer = async () => {};
    answerAgain();
    expect(await sentAgain).toMatchObject({ delivery: { delivered: true, purpose: "resend" } });
    await until("the last state is there", () => to.changes().length === 4);
    expect(to.copy().get("r14")).toMatchObject({ amount_usd: 8 });
    expect(to.mostAtOnce).toBe(1);
  });

  test("that begins now begins when its receiver has answered or it is resumed, however late an indexer comes to it", async () => {
    const to = await receiver();
    const owner = await newAccount("scale");
    to.challenge = "nothing";
    const made = await managed().create(inputFor(owner, "scale", to));
    const { webhook_id } = made.webhook;
    to.secrets.push(made.secret);
    // Nothing is delivered meanwhile.
    await accounts.suspend(owner);
    to.challenge = "answer";
    const progress = createProgressStore(client, names.deliveries);
    for (const from of [undefined, "now"] as const) {
      expect((await managed().resume(webhook_id, "scale", from)).webhook.status).toBe("active");
      const read = await progress.read(webhook_id);
      expect(read?.progress.from).toHaveProperty("changed", expect.any(Number));
    }
  });

  test("that is deleted gets nothing more and is not listed", async () => {
    const to = await receiver();
    const { webhook_id } = await webhook(to);
    await ops("delete", webhook_id);
    const before = to.messages.length;
    await write(round(version++, "r11", "c1"));
    await pause(SHORT_MS);
    expect(to.messages.length).toBe(before);
    expect(await refusal("show", webhook_id)).toContain(`There is no webhook '${webhook_id}'`);
    expect((await ops<Shown[]>("list", "--account", account)).map((each) => each.webhook_id)).not.toContain(webhook_id);
    expect(await isStored(webhook_id)).toBe(false);
  });

  test("that is deleted while its receiver answers the challenge stays deleted", async () => {
    const owner = await newAccount("scale");
    const to = await receiver();
    // The answer comes before, while and after the deletion is written.
    for (const delayMs of [0, 5, 10, 20, 40, 80]) {
      const made = await managed().create({ ...inputFor(owner, "scale", to), from: "start" });
      to.secrets.push(made.secret);
      to.beforeAnswer = () => pause(delayMs);
      const { webhook_id } = made.webhook;
      const asked = to.messages.length;
      const resumed = managed().resume(webhook_id, "scale");
      const ended = Promise.allSettled([resumed]);
      await until("the receiver is asked", () => to.messages.length > asked);
      await managed().remove(webhook_id);
      await ended;
      await expect(managed().find(webhook_id)).rejects.toThrow("There is no webhook");
      expect(await isStored(webhook_id)).toBe(false);
    }
  });

  test("is removed with its account, paused or not, and so is what a deletion has left", async () => {
    const to = await receiver();
    const [owner, other] = [await newAccount("scale"), await newAccount("scale")];
    const make = (handle: string) => active(handle, "scale", to);
    const [paused, running, left, kept] = [await make(owner), await make(owner), await make(other), await make(other)];
    await managed().pause(paused);
    await accounts.remove(owner);
    const webhooks = createWebhookStore(client, names.accounts, { actor: "test" });
    await webhooks.change(left, "webhook.delete", () => DELETED);
    const deliveries = createDeliveryLog(client, names.deliveries);
    await removeGone({ webhooks, deliveries, accounts });
    expect(await Promise.all([paused, running, left, kept].map((id) => isStored(id)))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test("that is new is pending, and nothing is sent to it before it is asked", async () => {
    const to = await receiver();
    const owner = await newAccount("scale");
    const made = await managed().create(inputFor(owner, "scale", to));
    expect(made).toMatchObject({
      webhook: { status: "pending", reason: "The receiver was not asked yet. Give it the secret, then ask it." },
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(to.messages).toEqual([]);
  });

  test.each(["nothing", "echo"] as const)(
    "whose receiver answers the challenge with %s is pending, and asked again on demand",
    async (answer) => {
      const to = await receiver();
      to.challenge = answer;
      const { webhook_id, status, reason } = await webhook(to);
      expect({ status, reason }).toEqual({
        status: "pending",
        reason:
          "The receiver's answer does not contain the HMAC-SHA256 of the challenge with the webhook's secret, in base64.",
      });
      to.challenge = "answer";
      expect((await ops<Shown>("resume", webhook_id)).status).toBe("active");
    },
  );
});

test("one slow receiver delays nobody else", async () => {
  const [slow, fast] = [await receiver(), await receiver()];
  await webhook(slow);
  await webhook(fast);
  // An attempt ends after 10 s.
  slow.mode = "silence";
  await write(round(version++, "r12", "c1"));
  await until("the fast one has it", () => fast.copy().has("r12"), 9000);
});

test("what is wrong is said when the webhook is created", async () => {
  const create = (...options: string[]) => refusal("create", "--account", account, "--list", "funding", ...options);
  const url = ["--url", "https://example.com/"];
  expect(await create(...url, "--filters", "contry=DE")).toContain("country");
  expect(await create(...url, "--filters", "country=Narnia")).toContain("Narnia");
  expect(await create(...url, "--filters", "country=DE&limit=10")).toContain("'limit' is not a filter");
  expect(await create("--url", "nowhere")).toContain("is not a URL");
  expect(await create("--url", "ftp://example.com/")).toContain("https://");
});

test("plans limit the number of webhooks, and without exports they begin now", async () => {
  const starter = await newAccount("starter");
  const to = await receiver();
  const create = (...more: string[]) => ["create", "--account", starter, "--list", "signals", "--url", to.url, ...more];
  expect(await refusal(...create("--from", "start"))).toContain("no exports");
  expect((await ops<Shown>(...create())).status).toBe("pending");
  expect(await refusal(...create())).toContain("allows 1 webhook");
});

test("begin at the start as often in a day as the plan has webhooks, also when they are deleted or resumed at once", async () => {
  const owner = await newAccount("growth");
  const most = DEFAULT_PLANS["growth"]!.webhooks;
  const create = async (challenge: Receiver["challenge"] = "answer") => {
    const to = await receiver();
    to.challenge = challenge;
    const made = await managed().create({ ...inputFor(owner, "growth", to), from: "start" });
    to.secrets.push(made.secret);
    return made.webhook.webhook_id;
  };
  const refused = await create("nothing");
  for (let n = 0; n < 2; n++) expect((await managed().resume(refused, "growth")).webhook.status).toBe("pending");
  await managed().remove(refused);
  for (let n = 1; n < most; n++) {
    const id = await create();
    expect((await managed().resume(id, "growth")).webhook.status).toBe("active");
    await managed().remove(id);
  }
  const [first, second] = [await create(), await create()];
  const both = await Promise.allSettled([first, second].map((id) => managed().resume(id, "growth")));
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  for (const id of [first, second]) await managed().remove(id);
  await expect(create()).rejects.toThrow(/did 5 times\. It may again from 20\d\d-.*Z on\. Begin now\./);
});

test("several that are created at once do not exceed the plan, and after another plan was chosen none is resumed beyond it", async () => {
  const to = await receiver();
  const [starter, smaller] = [await newAccount("starter"), await newAccount("scale")];
  await Promise.allSettled(Array.from({ length: 5 }, () => managed().create(inputFor(starter, "starter", to))));
  expect((await managed().ofAccount(starter)).length).toBeLessThanOrEqual(1);
  const [first, second] = [await active(smaller, "scale", to), await active(smaller, "scale", to)];
  await managed().pause(second);
  await expect(managed().resume(second, "starter")).rejects.toThrow("allows 1 webhook");
  expect((await managed().resume(first, "starter")).webhook.status).toBe("active");
  await managed().pause(first);
  expect((await managed().resume(second, "starter")).webhook.status).toBe("active");
});

test("a secret that was made by somebody who was removed meanwhile does not stay", async () => {
  const owner = await newAccount("scale");
  const made = await managed().create(inputFor(owner, "scale", await receiver()));
  const { webhook_id, secrets: before } = made.webhook;
  const removed = async () => {
    throw new Error("removed");
  };
  await expect(managed().rotate(webhook_id, removed)).rejects.toThrow("removed");
  const { secrets } = (await managed().find(webhook_id)).webhook;
  expect(secrets).toEqual(before);
  expect(secretsAt(key, webhook_id, secrets, Date.now())).toEqual([made.secret]);
});

test("no index and no job has a secret as its receiver knows it, and no log", async () => {
  const known = receivers.flatMap(({ secrets }) => secrets.map((secret) => secret.slice("whsec_".length)));
  expect(known.length).toBeGreaterThan(5);
  const found = await client.search({ index: [names.accounts, names.deliveries], size: 1000 });
  const jobs = await queues.queue(QUEUES.webhooks).getJobs();
  const everything = JSON.stringify([found.hits.hits, jobs.map(({ data }) => data), logged]);
  expect(everything).toContain("sealed");
  for (const secret of known) expect(everything).not.toContain(secret);
});

import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { pino } from "pino";
import { type Announcer, createAnnouncer, type Writing } from "@tranche/shared/protocol/generations/announcer";
import { generationKey, stepKey } from "@tranche/shared/protocol/generations/generation";
import type { DeadLetter } from "@tranche/shared/protocol/queue/queues";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { createPendingWrites, type TicketWithNote } from "@tranche/shared/protocol/feed/pending-writes";
import { createTicketClock, type Ticket, ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { publishBatch } from "../apps/indexer/pipeline/publish-batch.ts";
import { createStamp } from "../apps/indexer/pipeline/stamped.ts";
import { outgoingTo } from "../apps/indexer/write/outgoing.ts";
import { createTargetVersions } from "../apps/indexer/write/target-versions.ts";
import { readTargets } from "../apps/indexer/write/targets.ts";
import { createRandom } from "./drills/random.ts";
import { ENGINES } from "./support/engines.ts";
import { createSmallWorld, type Doing } from "./support/small-world.ts";

const SEEDS = Array.from({ length: 500 }, (_, i) => i + 1);
const STEPS = 300;
/** How many write at once: where one does, all is listed; where several do, they meet. */
const WRITERS = [1, 2, 4];
/** How likely another one begins: pauses let readers see that nobody does. */
const EAGERNESS = [0.05, 0.4];
const READERS = 4;

let redis: Redis;
beforeAll(() => {
  redis = new Redis(ENGINES.redisUrl);
});
afterAll(() => redis.disconnect());

/** Lets writers and readers proceed in a random order; writers may be killed between any two of their steps. */
async function run(seed: number) {
  const random = createRandom(seed);
  const world = createSmallWorld(redis, `announcing-${randomUUID()}`, random);
  const [most, eagerness] = [random.pick(WRITERS), random.pick(EAGERNESS)];
  const writers: { doing: Doing; kill?: () => Doing[] }[] = [];
  const readers: Doing[] = [];
  for (let step = 0; step < STEPS; step++) {
    if (writers.length < most && random.chance(eagerness)) writers.push(world.job());
    if (readers.length < READERS && random.chance(0.6)) readers.push(world.read());
    const one = random.below(writers.length + readers.length || 1);
    const writer = writers[one];
    if (writer?.kill && random.chance(0.03)) {
      writers.splice(one, 1, ...writer.kill().map((doing) => ({ doing })));
    } else if (writer) {
      if ((await writer.doing.next()).done) writers.splice(one, 1);
    } else {
      const reader = one - writers.length;
      if ((await readers[reader]?.next())?.done) readers.splice(reader, 1);
    }
  }
  return world.figures;
}

test("no cached page or count is older than the writes of a finished job, whichever writers run side by side or die", async () => {
  const all = await Promise.all(SEEDS.map(run));
  const wrong = all.flatMap(({ wrong: found }, i) => found.map((what) => `seed ${SEEDS[i]}: ${what}`));
  expect(wrong).toEqual([]);
  // Pages were kept, counts were counted on, and changes were listed, or this would prove nothing.
  expect(all.reduce((sum, { kept }) => sum + kept, 0)).toBeGreaterThan(5 * SEEDS.length);
  expect(all.reduce((sum, { countedOn }) => sum + countedOn, 0)).toBeGreaterThan(SEEDS.length / 4);
  expect(all.reduce((sum, { listed }) => sum + listed, 0)).toBeGreaterThan(SEEDS.length);
});

describe("a list of what changed goes out only when it is certain", () => {
  const LIST = { redrawn: ["a"], moved: [] };
  let namespace: string;
  let announcer: Announcer;
  beforeEach(async () => {
    namespace = `announcing-${randomUUID()}`;
    let generations = 100;
    announcer = createAnnouncer({ redis, namespace, tickets: { take: async () => ++generations } });
    await announcer.announceEverything(["funding"]);
  });
  const begin = (ticket: number, ...ids: string[]) => announcer.begin("funding", ticket as Ticket, ids);
  /** Whether the last generation came with a list. */
  const wasListed = async (): Promise<boolean> => {
    const generation = await redis.get(generationKey(namespace, "funding"));
    return (await redis.exists(stepKey(namespace, "funding", generation!))) === 1;
  };
  /** Announces the list, and returns whether it went out. */
  const isListed = async (writing: Writing): Promise<boolean> => {
    await announcer.announce("funding", [writing], LIST);
    return wasListed();
  };

  test("which it is when nobody else writes the same documents", async () => {
    const [one, other] = [await begin(1, "a", "b"), await begin(2, "c")];
    expect([await isListed(other), await isListed(one)]).toEqual([true, true]);
    expect(await isListed(await begin(3, "a", "b", "c"))).toBe(true);
  });

  test.each([
    ["higher", 1, 2],
    ["lower", 2, 1],
  ])("not for one beside whom another with a %s ticket begins, nor for that one", async (_, first, second) => {
    const [one, other] = [await begin(first, "a", "b"), await begin(second, "b", "c")];
    expect([await isListed(one), await isListed(other)]).toEqual([false, false]);
    expect(await isListed(await begin(3, "a", "b", "c"))).toBe(true);
  });

  test("not while one with a higher ticket is at work that others have met before", async () => {
    const highest = await begin(3, "a");
    expect(await isListed(await begin(2, "a"))).toBe(false);
    const next = await begin(4, "a");
    expect(next.contested).toBe(true);
    expect([await isListed(highest), await isListed(next)]).toEqual([false, false]);
  });

  test("not by the first writer of a document that a dead one may have written; by the next it is", async () => {
    await begin(1, "a", "b");
    expect(await isListed(await begin(2, "b"))).toBe(false);
    expect(await isListed(await begin(3, "b"))).toBe(true);
    expect(await isListed(await begin(4, "a"))).toBe(false);
  });

  test("not across a swap, nor for several writings at once", async () => {
    const across = await begin(1, "a");
    await announcer.announceEverything(["funding"]);
    expect(await isListed(across)).toBe(false);
    await announcer.announce("funding", [await begin(2, "a"), await begin(3, "b")], LIST);
    expect(await wasListed()).toBe(false);
    expect(await isListed(await begin(4, "a", "b"))).toBe(true);
  });

  test("no cached page is used after Redis lost its data", async () => {
    const writing = await begin(1, "a");
    await redis.del(generationKey(namespace, "funding"));
    expect(await isListed(writing)).toBe(false);
  });

  test("not when a document was not written as it was derived: a newer one is there, or the engine refuses it", async () => {
    const address = { url: ENGINES.elasticsearchUrl };
    const client = createSearchClient(address, { connections: 1, requestTimeoutMs: 30_000 });
    const names = indexNames(namespace);
    await ensureIndices(client, names, { shards: 1, replicas: 0 });
    const log = pino({ level: "silent" });
    const deadLetters: DeadLetter[] = [];
    const tickets = createTicketClock({
      redis,
      client,
      controlIndex: names.control,
      redisKey: ticketKey(namespace),
      onLost: async () => {},
    });
    const pendingWrites = createPendingWrites({ redis, namespace, tickets });
    const parts = {
      client,
      names,
      pendingWrites,
      versions: createTargetVersions({ client, names, log }),
      log,
      announcer,
      onRetry: () => {},
      sendToDeadLetters: async (more: readonly DeadLetter[]) => void deadLetters.push(...more),
    };
    const ids = { funding: ["a"], companies: [] };
    const noted: TicketWithNote[] = [];
    while (noted.length < 4) noted.push(await pendingWrites.take(ids));
    const write = async ({ ticket, shared: uncertain }: TicketWithNote, document: object): Promise<boolean> => {
      const targets = await readTargets(parts, ticket);
      const few = [{ id: "a", document }];
      const stamp = await createStamp(
        parts,
        "funding",
        targets.funding.at(-1)!,
        ticket,
        ids.funding,
        uncertain.funding,
      );
      const funding = { few, outgoing: outgoingTo(parts.versions, targets.funding, ticket, stamp(few, new Map())) };
      const documents = { funding, companies: { few: [], outgoing: new Map() } };
      await publishBatch(parts, { ticket, ids, documents, deadLetters: [] });
      return wasListed();
    };
    const [first, second, third, fourth] = noted as [TicketWithNote, TicketWithNote, TicketWithNote, TicketWithNote];
    expect(await write(second, { listed: true, country: "US" })).toBe(true);
    expect(await write(first, { listed: true, country: "DE" })).toBe(false);
    expect(await write(third, { listed: true, country: "DE" })).toBe(true);
    expect(await write(fourth, { listed: true, nobody_knows: 1 })).toBe(false);
    expect(deadLetters).toMatchObject([{ what: { id: "a" } }]);
    await client.close();
  });
});

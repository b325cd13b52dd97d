import { createAnnouncer } from "@tranche/shared/protocol/generations/announcer";
import { changesBetween } from "@tranche/shared/protocol/generations/changes";
import { begunKey, generationKey, stepKey } from "@tranche/shared/protocol/generations/generation";
import { isTrue } from "@tranche/read-models/query/filters";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { Redis } from "ioredis";
import { createFollower } from "../../apps/api/cache/generations.ts";
import { createValidatedCache } from "../../apps/api/cache/validated-cache.ts";
import type { Random } from "../drills/random.ts";

const IDS = ["a", "b"];
const COUNTRIES = ["US", "DE"];

/** A document as it was written with a ticket; no document for what was never written. */
type Version = {
  ticket: number;
  document?: { listed: boolean; country: string; city: number; rank: number; look: number };
};
type Versions = ReadonlyMap<string, Version>;
/** What is done one after another, and where others may come in between: at each `yield`. */
export type Doing = AsyncGenerator<void>;
type Write = { id: string; version: Version };

/**
 * The ways of a write and of a read in small: one index that shows the writes after any refresh, writers of a few
 * documents, readers who keep pages and counts. Only this is made up; Redis and the readers' code are those of the service.
 */
export function createSmallWorld(redis: Redis, namespace: string, random: Random) {
  let tickets = 0;
  const announcer = createAnnouncer({ redis, namespace, tickets: { take: async () => ++tickets } });
  const follow = createFollower((id) => redis.get(stepKey(namespace, "funding", id)));
  const pages = createValidatedCache<string>({ maxBytes: 100_000 });
  const counts = createValidatedCache<number>({ maxBytes: 100_000 }, (count, gained) => {
    if (gained !== 0) figures.countedOn++;
    return count + gained;
  });

  const records = new Map<string, NonNullable<Version["document"]>>();
  const written = new Map<string, Version>();
  let visible: Versions = new Map();
  /** All states of a document that were ever visible. */
  const seen = new Map<string, Set<Version>>(IDS.map((id) => [id, new Set([{ ticket: 0 }])]));
  /** The highest ticket of writers that are done with a document. */
  const done = new Map<string, number>();
  const figures = { kept: 0, countedOn: 0, listed: 0, wrong: [] as string[] };

  /** Whether it was not superseded. */
  const write = ({ id, version }: Write): boolean => {
    const newer = version.ticket > (written.get(id)?.ticket ?? 0);
    if (newer) written.set(id, version);
    return newer;
  };
  const refresh = () => {
    visible = new Map(written);
    for (const [id, version] of visible) seen.get(id)!.add(version);
  };
  /** How many there are in a country, and how the first of them looks. */
  const pageOf = (country: string, versions: Versions) => {
    const rows = [...versions].filter(([, { document }]) => document?.listed && document.country === country);
    const rank = ([id, { document }]: [string, Version]) => `${document!.rank} ${id}`;
    const first = rows.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, 1);
    const page = `${rows.length}: ${first.map(([id, { document }]) => `${id} ${document!.look}`).join("")}`;
    return { page, ids: first.map(([id]) => id), count: rows.length };
  };
  type Found = ReturnType<typeof pageOf>;
  /** Whether something was found in one of the versions of each document from the given tickets on. */
  const isFresh = (country: string, least: ReadonlyMap<string, number>, found: (page: Found) => boolean) => {
    let worlds: Versions[] = [new Map()];
    for (const id of IDS) {
      const versions = [...seen.get(id)!].filter(({ ticket }) => ticket >= (least.get(id) ?? 0));
      worlds = worlds.flatMap((world) => versions.map((version) => new Map(world).set(id, version)));
    }
    return worlds.some((world) => found(pageOf(country, world)));
  };

  /** Derives documents of the records as they are, as the indexer does. `open` has what is still on its way to the index. */
  async function* derive(ids: readonly string[], open: Write[]): Doing {
    const ticket = ++tickets;
    yield;
    const documents = ids.map((id) => ({ id, document: records.get(id)! }));
    yield;
    const writing = await announcer.begin("funding", ticket as Ticket, ids);
    yield;
    const before = new Map(ids.flatMap((id) => (written.has(id) ? [[id, written.get(id)!.document!] as const] : [])));
    const changes = writing.contested
      ? undefined
      : changesBetween(["listed", "country", "city", "rank"], before, documents);
    yield;
    open.push(...documents.map(({ id, document }) => ({ id, version: { ticket, document } })));
    let asDerived = true;
    while (open.length > 0) {
      asDerived = write(open.shift()!) && asDerived;
      yield;
    }
    refresh();
    yield;
    const told = asDerived ? changes : undefined;
    await announcer.announce("funding", [writing], told);
    figures.listed += told ? 1 : 0;
    for (const id of ids) done.set(id, Math.max(done.get(id) ?? 0, ticket));
  }

  return {
    figures,
    /** A job: changes records and derives their documents; `kill` stops it where it is, and says what follows from that. */
    job(): { doing: Doing; kill: () => Doing[] } {
      const ids = IDS.filter(() => random.chance(0.4));
      for (const id of ids) {
        const was = records.get(id) ?? { listed: true, country: "US", city: 0, rank: 0 };
        const changes = [
          {},
          { city: random.below(3) },
          { rank: random.below(3) },
          { country: random.pick(COUNTRIES) },
          { listed: random.chance(0.8), country: random.pick(COUNTRIES) },
        ];
        records.set(id, { ...was, ...random.pick(changes), look: random.below(1_000_000) });
      }
      const open: Write[] = [];
      return {
        doing: derive(ids, open),
        // The queue gives the job to another worker; sent writes may still arrive.
        kill: () => [derive(ids, []), arrive(open.splice(0))],
      };
    },
    /** Reads a page and a count as the API does: which generation it is, then what is kept, or else what can be seen. */
    async *read(): Doing {
      const country = random.pick(COUNTRIES);
      const least = new Map(done);
      const at = performance.now();
      const [id, begun] = await redis.mget(generationKey(namespace, "funding"), begunKey(namespace, "funding"));
      yield;
      const generation = id ? await follow(id, { at, begun: Number(begun) }) : undefined;
      const check = (what: string | number, found: (page: Found) => boolean) => {
        if (!isFresh(country, least, found))
          figures.wrong.push(`${country} ${what}, but done is ${JSON.stringify([...least])}`);
      };
      const filters = [...isTrue<{ listed: boolean }>("listed"), { field: "country", anyOf: [country] }];
      const page = pages.get(generation, country);
      const count = counts.get(generation, country);
      if (page !== undefined) {
        figures.kept++;
        check(page, (found) => found.page === page);
      }
      if (count !== undefined) check(count, (found) => found.count === count);
      if (page !== undefined && count !== undefined) return;
      yield;
      const begunAt = performance.now();
      const made = pageOf(country, visible);
      yield;
      const shown = { value: made.page, dependencies: { filters, ids: made.ids, order: "rank" } };
      const counted = { value: made.count, dependencies: { filters, ids: [] } };
      if (page === undefined) pages.set(generation, country, shown, begunAt);
      if (count === undefined) counts.set(generation, country, counted, begunAt);
    },
  };

  async function* arrive(writes: Write[]): Doing {
    for (const one of writes) {
      yield;
      write(one);
    }
  }
}

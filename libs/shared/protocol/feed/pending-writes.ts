import { readFileSync } from "node:fs";
import type { RedisClient } from "../../engines/redis/connect.ts";
import { TAKE_IN_LUA, type Ticket, type TicketClock } from "../ticket/ticket-clock.ts";
import { FIRST_STAGE } from "../../engines/search/index-names.ts";
import { feedKeys, type FeedModel } from "./keys.ts";

const scriptOf = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** Ids of documents by read model. A read model that is missing has none. */
type IdsByModel = Partial<Record<FeedModel, readonly string[]>>;

/**
 * A ticket, and which documents another writer may write meanwhile: their earlier state is uncertain. While writers may be at work whose
 * notes Redis has lost, these are all of them.
 */
export type TicketWithNote = { ticket: Ticket; shared: Record<FeedModel, ReadonlySet<string>> };

/**
 * The notes of writers of documents that have a feed. A note names a ticket and the documents that may still be written with it.
 * The horizon of the feed stays below the lowest, so no reader passes a ticket whose documents are not visible yet. Rules 1, 2 and 4 of
 * docs/decisions/0040-a-feed-that-misses-nothing.md.
 */
export type PendingWrites = {
  /** Takes a ticket and notes it with the ids, each once, in one step. Waits while an engine is away. */
  take(ids: IdsByModel): Promise<TicketWithNote>;
  /** Those of the documents that somebody may write now. Asked before their state is read, as the copy of a rebuild does. */
  pending(model: FeedModel, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** All documents that somebody may write now. */
  allPending(model: FeedModel): Promise<string[]>;
  /** Notes that were taken before a time, in ms, and still have documents. */
  takenBefore(model: FeedModel, time: number): Promise<{ ticket: Ticket; since: number; ids: string[] }[]>;
  /** Removes notes without documents whose writers have died: taken before a time, in ms. */
  removeEmpty(model: FeedModel, time: number): Promise<void>;
  /**
   * Takes a note back after its documents are visible on every copy. `written`: those that are stored under this ticket or a higher one
   * in every target. `left`: those that were refused or can't be derived. False when the note is gone, because Redis lost it: what was
   * written has to be written again under another ticket, with that as the time of its change.
   */
  takeBack(
    model: FeedModel,
    ticket: Ticket,
    ids: { written: readonly string[]; left: readonly string[] },
  ): Promise<boolean>;
};

type NotesRedis = RedisClient & {
  takeNoted(...keysAndArguments: (string | number)[]): Promise<[number, number, (number[][] | string)?]>;
  takeBackNote(...keysAndArguments: (string | number)[]): Promise<0 | 1>;
};

const MODELS = FIRST_STAGE;

export function createPendingWrites(parts: {
  redis: RedisClient;
  namespace: string;
  tickets: Pick<TicketClock, "takeBy" | "isSettling" | "durably">;
}): PendingWrites {
  const { namespace, tickets } = parts;
  const keys = MODELS.map((model) => feedKeys(namespace, model));
  const lua = TAKE_IN_LUA + scriptOf("./take-noted.lua");
  parts.redis.defineCommand("takeNoted", { numberOfKeys: 1 + 3 * MODELS.length, lua });
  parts.redis.defineCommand("takeBackNote", { numberOfKeys: 4, lua: scriptOf("./take-back.lua") });
  const redis = parts.redis as NotesRedis;

  return {
    async take(ids) {
      const lists = MODELS.map((model) => ids[model] ?? []);
      const noteKeys = keys.flatMap(({ held, writers, counts }) => [held, writers, counts]);
      const { ticket, more } = await tickets.takeBy<number[][]>((clock, ...asked) =>
        redis.takeNoted(clock, ...noteKeys, ...asked, Date.now(), ...lists.flatMap((list) => [list.length, ...list])),
      );
      const all = tickets.isSettling();
      const shared = MODELS.map((model, n) => [
        model,
        new Set(all ? lists[n] : more[n]!.map((place) => lists[n]![place]!)),
      ]);
      return { ticket, shared: Object.fromEntries(shared) as TicketWithNote["shared"] };
    },
    async pending(model, ids) {
      if (ids.length === 0 || tickets.isSettling()) return new Set(ids);
      const found = await redis.hmget(feedKeys(namespace, model).writers, ...ids);
      return new Set(ids.filter((_, n) => found[n] !== null));
    },
    allPending: (model) => redis.hkeys(feedKeys(namespace, model).writers),
    async takenBefore(model, time) {
      const { counts, writers } = feedKeys(namespace, model);
      const old = (await taken(redis, counts)).filter(({ left, since }) => left > 0 && since < time);
      const ids = new Map(old.map(({ ticket }) => [ticket, [] as string[]]));
      if (old.length === 0) return [];
      for (const [id, noted] of Object.entries(await redis.hgetall(writers))) {
        for (const ticket of noted.split(" ")) ids.get(ticket)?.push(id);
      }
      return old.map(({ ticket, since }) => ({ ticket: Number(ticket) as Ticket, since, ids: ids.get(ticket)! }));
    },
    async removeEmpty(model, time) {
      const { counts } = feedKeys(namespace, model);
      const empty = (await taken(redis, counts)).filter(({ left, since }) => left === 0 && since < time);
      if (empty.length > 0) await redis.hdel(counts, ...empty.map(({ ticket }) => ticket));
    },
    takeBack: tickets.durably(async (model, ticket, { written, left }) => {
      const { held, writers, counts, moves } = feedKeys(namespace, model);
      const ids = [written.length, ...written, ...left];
      return (await redis.takeBackNote(held, writers, counts, moves, ticket, model, ...ids)) === 1;
    }),
  };
}

/** All notes: their ticket, how many of their documents are left, and when they were taken, in ms. */
async function taken(redis: RedisClient, counts: string): Promise<{ ticket: string; left: number; since: number }[]> {
  return Object.entries(await redis.hgetall(counts)).map(([ticket, count]) => {
    const [left, since] = count.split(" ");
    return { ticket, left: Number(left), since: Number(since) };
  });
}

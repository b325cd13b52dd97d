import { readFileSync } from "node:fs";
import type { ReadModel } from "../../engines/search/index-names.ts";
import type { Ticket } from "../ticket/ticket-clock.ts";
import type { Changes, Step } from "./changes.ts";
import {
  announceEverything,
  begunKey,
  type GenerationClock,
  generationKey,
  stepKey,
  unlistedKey,
  writingKey,
} from "./generation.ts";
import type { RedisClient } from "../../engines/redis/connect.ts";

/** How long a list of changes is stored. Readers do not rely on older ones. */
const KEEP_STEP_SECONDS = 60;

const scriptOf = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** Documents that are being written: from before they are read until the change is announced. */
export type Writing = {
  ticket: Ticket;
  ids: readonly string[];
  /** Another writer has one of the documents too. Its earlier state is uncertain, so no list of changes is announced. */
  contested: boolean;
  /** The last generation without a list of changes when the writing began. */
  unlisted: string;
  /** The number of this write in its read model. */
  begun: number;
};

/**
 * Announces to readers that documents changed and, if that is certain, which changes. It is certain only if the earlier documents were
 * read after `begin` and no other writer wrote one of them before `announce`. Every writer of live documents must call both. A writer
 * that dies in between leaves its documents noted, so that no other list of changes omits what it may have written.
 * `docs/decisions/0011-pages-that-survive.md` says why that is enough.
 */
export type Announcer = {
  /** Call it before you read the documents' former state. `ticket`: the ticket of the write. */
  begin: (model: ReadModel, ticket: Ticket, ids: readonly string[]) => Promise<Writing>;
  /** Call it after the refresh, before the job is acknowledged. Without certain `changes`, anything may have changed. */
  announce: (model: ReadModel, writings: readonly Writing[], changes?: Changes) => Promise<void>;
  /** After a swap, or where a writer that died may have written: anything may have changed. */
  announceEverything: (models: readonly ReadModel[]) => Promise<void>;
};

type AnnouncerRedis = RedisClient & {
  beginWriting(...keysAndArguments: (string | number)[]): Promise<[0 | 1, string, number]>;
  announce(...keysAndArguments: (string | number)[]): Promise<null>;
};

export function createAnnouncer(parts: { redis: RedisClient; namespace: string; tickets: GenerationClock }): Announcer {
  const { namespace, tickets } = parts;
  parts.redis.defineCommand("beginWriting", { numberOfKeys: 3, lua: scriptOf("./begin-writing.lua") });
  parts.redis.defineCommand("announce", { numberOfKeys: 4, lua: scriptOf("./announce.lua") });
  const redis = parts.redis as AnnouncerRedis;

  return {
    async begin(model, ticket, ids) {
      const keys = [writingKey(namespace, model), unlistedKey(namespace, model), begunKey(namespace, model)];
      const [contested, unlisted, begun] = await redis.beginWriting(...keys, ticket, ...ids);
      return { ticket, ids, contested: contested === 1, unlisted, begun };
    },
    announceEverything: (models) => announceEverything(parts, models),
    async announce(model, writings, changes) {
      const [first, ...others] = writings;
      if (!first) return;
      const step: Step | undefined = others.length === 0 && changes ? { ...changes, begun: first.begun } : undefined;
      const generation = String(await tickets.take());
      const end = ({ ticket, unlisted, ids }: Writing, announced: string, list: string) =>
        redis.announce(
          writingKey(namespace, model),
          unlistedKey(namespace, model),
          generationKey(namespace, model),
          stepKey(namespace, model, generation),
          ticket,
          announced,
          unlisted,
          list,
          KEEP_STEP_SECONDS,
          ...ids,
        );
      await end(first, generation, step ? JSON.stringify(step) : "");
      // After the announcement.
      for (const writing of others) await end(writing, "", "");
    },
  };
}

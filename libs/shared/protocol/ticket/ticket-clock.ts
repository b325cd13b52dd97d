import { readFileSync } from "node:fs";
import type { Client } from "@elastic/elasticsearch";
import type { OnRetry } from "../../engines/search/retry-forever.ts";
import { isSettling, type LostNumbers, notAmong, withLost } from "./lost-numbers.ts";
import { createRedisHistory, type ReadHistory, type Writer } from "./redis-history.ts";
import type { RedisClient } from "../../engines/redis/connect.ts";
import { raiseCeiling, readCeiling } from "./ticket-ceiling.ts";
import { createUnproven, type Unproven } from "./unproven.ts";
import { haveEnded, isAmong, missed, withWriter, without } from "./writers.ts";

/** How far ahead of use the ceiling is raised, in µs. */
const HEADROOM = 60_000_000;
const script = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const TAKE_TICKETS = script("./identity.lua") + script("./take-tickets.lua");
const CONTINUE_ABOVE = script("./identity.lua") + script("./continue-above.lua");
/** For scripts that take a ticket and do more: a function `take` of take-tickets.lua. They continue with their own code. */
export const TAKE_IN_LUA = `local function take()\n${TAKE_TICKETS}\nend\n`;
const MISSING = -1;
const PASSED = -2;

declare const taken: unique symbol;

/**
 * The number of one derivation, in µs since 1970. `take` and `takeBy` make tickets; `PendingWrites` reads stored ones back. Reading source
 * records or targets and publishing require one, so no derivation can read before it has its ticket.
 */
export type Ticket = number & { readonly [taken]: true };

/**
 * Sends a script that begins as take-tickets.lua: with its key, and its arguments in their order. It answers with what that returns, and
 * with something more in the third place when a ticket was given.
 */
type AskForTicket<More> = (
  key: string,
  ceiling: string,
  count: number,
  identity: string,
  known: string,
) => Promise<[first: number, last: number, more?: More | string]>;

export type TicketClock = {
  /** A ticket greater than any number given before. Waits while an engine is away. */
  take: () => Promise<Ticket>;
  /** The same by a script of the caller's, which takes the ticket as take-tickets.lua does and does more in the same step. */
  takeBy: <More>(ask: AskForTicket<More>) => Promise<{ ticket: Ticket; more: More }>;
  /** Versions for records: the first of `count` consecutive numbers, all greater than any given before. Waits likewise. */
  takeVersions: (count: number) => Promise<number>;
  /** Saves in Elasticsearch how far the clock has come, so that a Redis that goes back behind it is noticed. */
  saveClock: () => Promise<void>;
  /** Whether writers may still write whose notes Redis has lost. Asked after a number was taken. */
  isSettling: () => boolean;
  /** The numbers that a former Redis had given and this one does not know. */
  lostNumbers: () => readonly LostNumbers[];
  /** Forgets lost numbers, after nothing that was written under them is left. */
  forgetLost: (over: readonly LostNumbers[]) => Promise<void>;
  /** Makes what is told to Redis outlast a Redis that loses its newest writes, while this process lives. */
  durably: Unproven["durably"];
  /**
   * Notes that this process has ended in order: a number that it takes after its last write, which a Redis that has lost nothing has come
   * to. Called when nothing is under way any more.
   */
  end: () => Promise<void>;
};

/** Events of a Redis that is not the former one. */
export type HistoryEvents = {
  /** Queued jobs are lost: the clock is missing, or behind what was noted, or runs miss jobs. `ceiling` identifies the loss. */
  onLost: (ceiling: number, how: "emptied" | "went back") => Promise<void>;
  /** Redis restarted, or another one took over. Its newest writes may be missing, also when nothing that was noted is. */
  onReplaced?: () => Promise<void>;
  /** The same after every writer had ended in order, and the clock has come to their last numbers: nothing is missing. */
  onContinued?: () => void;
  /** Whether Redis has all jobs that open ingest runs have noted. */
  hasNotedJobs?: () => Promise<boolean>;
};

type TicketRedis = RedisClient & {
  takeTickets(
    key: string,
    ceiling: string,
    count: number,
    identity: string,
    known: string,
  ): Promise<[first: number, last: number, identity?: string]>;
  continueAbove(key: string, least: string, identity: string): Promise<number>;
};

/**
 * The one clock that orders everything: tickets of derivations and versions of records, in µs since 1970.
 * It lives in Redis. A ceiling in Elasticsearch is raised ahead of use and never passed, so after a loss of data, a failover to a replica
 * that lagged, or a clock that went back, Redis continues above every number given before. No number is given by a Redis whose history
 * was not examined: its identity and its clock are compared with those noted in Elasticsearch. `onLost` is called when jobs are lost
 * with the clock. Any process that takes tickets may notice first, so all must report it (see `lossReporter`).
 */
export function createTicketClock(
  parts: {
    redis: RedisClient;
    client: Client;
    controlIndex: string;
    redisKey: string;
    onRetry?: OnRetry;
    /** The id of a process that writes with its tickets. Processes that only take numbers have none. */
    writer?: string;
  } & HistoryEvents,
): TicketClock {
  const { client, controlIndex: index, redisKey, onRetry } = parts;
  parts.redis.defineCommand("takeTickets", { numberOfKeys: 1, lua: TAKE_TICKETS });
  parts.redis.defineCommand("continueAbove", { numberOfKeys: 1, lua: CONTINUE_ABOVE });
  const redis = parts.redis as TicketRedis;
  const histories = createRedisHistory(client, index, onRetry);
  const unproven = createUnproven();
  let ceiling = 0;
  /** The Redis that was examined, and the highest number that is known to be given. */
  let [identity, known] = ["", 0];
  let noted: ReadHistory | undefined;
  let repairing: Promise<void> | undefined;
  /** The repeats of writes that Redis may have lost. */
  let retelling: Promise<unknown> = Promise.resolve();
  /** The lost numbers of the history that was examined. */
  let lostNumbers: readonly LostNumbers[] = [];

  /** The writers, with this one. It is among them before it gets its first number. */
  const present = (writers: readonly Writer[]) =>
    parts.writer === undefined ? writers : withWriter(writers, parts.writer);

  const takeNumbersBy = async <More>(
    count: number,
    ask: AskForTicket<More>,
  ): Promise<{ first: number; more: More }> => {
    for (;;) {
      const proves = unproven.asking();
      const [first, last, more] = await ask(redisKey, String(ceiling), count, identity, String(known));
      if (first > 0) {
        known = Math.max(known, last);
        proves(last);
        return { first, more: more as More };
      }
      if (first === PASSED) ceiling = await raiseCeiling(parts, last + HEADROOM);
      else {
        const found = more as string;
        repairing ??= (first === MISSING ? seed(found) : examine(found)).finally(() => (repairing = undefined));
        await repairing;
      }
    }
  };
  const takeNumbers = async (count: number) =>
    (await takeNumbersBy(count, (...asked) => redis.takeTickets(...asked))).first;

  const seed = async (found: string) => {
    const stored = await readCeiling(parts);
    // Reported before the clock runs again: a crash in between repeats the report and never omits it.
    if (stored !== undefined) await parts.onLost(stored, "emptied");
    const clock = stored ?? 0;
    await redis.set(redisKey, String(clock), "NX");
    // If somebody else is faster, the next number is preceded by an examination.
    const last = await histories.read();
    const writers = present(missed(last?.history.writers ?? [], Date.now()));
    noted = await histories.save(last, { identity: found, clock, writers });
    if (noted) [identity, known, lostNumbers] = [found, Math.max(known, clock), []];
  };

  /** Compares a Redis with the one that was noted. Its clock then continues above every number given before. */
  const examine = async (found: string) => {
    const read = await histories.read();
    // Read after it: another process may just have raised the clock and noted that.
    const clock = Number((await redis.get(redisKey)) ?? MISSING);
    if (clock === MISSING) return;
    const { history } = read ?? {};
    const least = Math.max(known, history?.clock ?? 0);
    // Another process has noted these, and the clock is still to be raised.
    const newest = history?.identity === found ? history.lost?.find(({ above }) => above === clock) : undefined;
    const isReplaced = history !== undefined && !newest && (history.identity !== found || clock < least);
    let [raised, lost, isLossy] = [newest?.last ?? clock, history?.lost ?? [], newest !== undefined];
    if (isReplaced) {
      const stored = (await readCeiling(parts)) ?? least;
      raised = Math.max(clock, least, stored);
      const whole = clock >= least && ((await parts.hasNotedJobs?.()) ?? true);
      if (whole && haveEnded(history.writers, Date.now())) parts.onContinued?.();
      else {
        if (!whole) await parts.onLost(stored, "went back");
        await parts.onReplaced?.();
        [lost, isLossy] = [withLost(lost, { above: clock, last: raised, at: new Date().toISOString() }), true];
      }
    }
    const raise = async () =>
      raised === clock || (await redis.continueAbove(redisKey, String(raised), found)) !== MISSING;
    if (!isLossy && !(await raise())) return;
    // Never `noted`, which may be what another process has noted since: it would be overwritten.
    let saved = read;
    const writers = isReplaced ? missed(history.writers, Date.now()) : (history?.writers ?? []);
    const isPresent = parts.writer === undefined || isAmong(writers, parts.writer);
    if (isReplaced || history?.identity !== found || raised > history.clock || !isPresent) {
      saved = await histories.save(read, { identity: found, clock: raised, writers: present(writers), lost });
      if (!saved) return;
    }
    // After the lost numbers are saved: nobody can tell afterwards from where they were.
    if (isLossy && !(await raise())) return;
    const news = notAmong(lost, lostNumbers);
    // In the background: what is told again may take numbers, which wait for this examination.
    if (identity !== "" && news.length > 0) {
      retelling = Promise.all([retelling, unproven.lost(Math.min(...news.map(({ above }) => above)))]);
    }
    [noted, identity, known, lostNumbers] = [saved, found, Math.max(known, raised), lost];
  };

  const saveClock = async () => {
    const clock = known;
    while (clock > (noted?.history.clock ?? 0)) {
      noted ??= await histories.read();
      // Another Redis was noted meanwhile: the next number is preceded by an examination.
      if (!noted || noted.history.identity !== identity) return;
      if (noted.history.clock < clock) noted = await histories.save(noted, { ...noted.history, clock });
    }
    // Also when another process has saved a higher one.
    if (noted?.history.identity === identity) unproven.saved(clock);
  };

  const forgetLost = async (over: readonly LostNumbers[]) => {
    if (over.length === 0) return;
    const read = await histories.read();
    if (!read) return;
    const { lost = [] } = read.history;
    const left = notAmong(lost, over);
    // Another process may have forgotten them. When somebody changes the history meanwhile, they are forgotten the next time.
    const saved = left.length === lost.length ? read : await histories.save(read, { ...read.history, lost: left });
    if (saved?.history.identity === identity) [noted, lostNumbers] = [saved, left];
  };

  const end = async () => {
    const { writer } = parts;
    if (writer === undefined) return;
    await retelling;
    const last = await takeNumbers(1);
    for (let saved: ReadHistory | undefined; !saved;) {
      const read = await histories.read();
      // The writes of this process may be in another Redis, or nowhere.
      if (!read || read.history.identity !== identity) return;
      const { history } = read;
      const clock = Math.max(history.clock, last);
      const writers = without(history.writers, writer);
      saved = await histories.save(read, { ...history, clock, writers });
    }
  };

  return {
    // Only here and in the next function does a new number become a ticket.
    take: async () => (await takeNumbers(1)) as Ticket,
    async takeBy(ask) {
      const { first, more } = await takeNumbersBy(1, ask);
      return { ticket: first as Ticket, more };
    },
    takeVersions: takeNumbers,
    saveClock,
    isSettling: () => isSettling(lostNumbers, Date.now()),
    lostNumbers: () => lostNumbers,
    forgetLost,
    durably: unproven.durably,
    end,
  };
}

/** The Redis key of the clock. */
export const ticketKey = (namespace: string) => `{${namespace}}:ticket-clock`;

import type { Client } from "@elastic/elasticsearch";
import { withTimeLimit } from "@tranche/shared/process/time-limit";
import { giveUp } from "@tranche/shared/protocol/rebuild/give-up";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { type IndexNames, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { unwritable } from "@tranche/shared/engines/search/unwritable";
import type { Logger } from "@tranche/shared/process/logger";
import { setTimeout as pause } from "node:timers/promises";

/** Work that takes longer is watched. */
const WATCH_AFTER_MS = 5000;
const LOOK_EVERY_MS = 1000;
/** So long may a primary shard be away while the live indices have all of theirs. */
const AWAY_MS = 15_000;
/** A look that takes longer says nothing about the index. */
const LOOK_WITHIN_MS = 10_000;

type Parts = { client: Client; names: IndexNames; log: Pick<Logger, "warn"> };

type TargetLossTimeouts = { watchAfterMs: number; awayMs: number };
const TIMEOUTS: TargetLossTimeouts = { watchAfterMs: WATCH_AFTER_MS, awayMs: AWAY_MS };

/**
 * Does work with indices that derived documents are written to, and returns its result: undefined when one of them has lost its role
 * meanwhile, so that nothing need be written there. Building and previous indices that can't be written to for 20 s, because a primary shard is away or a disk is nearly full, while the live
 * ones lack none, are given up: they can't hold up the live ones. When Elasticsearch as a whole does not answer, the work waits.
 */
export async function whileTarget<T>(
  parts: Parts,
  indices: readonly string[],
  work: () => Promise<T>,
  timeouts: TargetLossTimeouts = TIMEOUTS,
): Promise<T | undefined> {
  return watched(work, (wait) => untilGone(parts, indices, timeouts, wait));
}

/** Resolves when one of the indices no longer has a role. */
async function untilGone(
  parts: Parts,
  indices: readonly string[],
  { watchAfterMs, awayMs }: TargetLossTimeouts,
  wait: Wait,
): Promise<undefined> {
  const since = new Map<string, number>();
  for (await wait(watchAfterMs); ; await wait(LOOK_EVERY_MS)) {
    const look = await withTimeLimit(lackingOf(parts, indices), LOOK_WITHIN_MS).catch(() => undefined);
    if (look === "gone") return undefined;
    for (const index of indices) {
      if (!look?.has(index)) {
        since.delete(index);
        continue;
      }
      const away = since.get(index) ?? Date.now();
      since.set(index, away);
      if (Date.now() - away < awayMs) continue;
      const seconds = Math.round((watchAfterMs + awayMs) / 1000);
      const reason = `a primary shard of ${index} was away, or its disk nearly full, for ${seconds} s, and writes to the live index do not wait longer`;
      if (await giveUp(parts, index, reason).catch(() => false)) return undefined;
    }
  }
}

/** Those of the indices that lack a primary shard, if the live ones lack none; `gone` if one of them has no role. */
async function lackingOf(
  { client, names }: Parts,
  indices: readonly string[],
): Promise<ReadonlySet<string> | undefined | "gone"> {
  const roles = await readIndexRoles(client, names);
  const held = READ_MODELS.flatMap((model) => Object.values(roles[model]));
  if (indices.some((index) => !held.includes(index))) return "gone";
  const lacking = await unwritable(client, held);
  const isAway = ({ live }: { live?: string }) => live === undefined || lacking.has(live);
  if (READ_MODELS.some((model) => isAway(roles[model]))) return undefined;
  return new Set(indices.filter((index) => lacking.has(index)));
}

/** Waits for `ms`; never ends once the work has ended. */
type Wait = (ms: number) => Promise<undefined>;

/** Does work beside a watch, and ends as the first of them does. */
async function watched<T, Lost>(work: () => Promise<T>, watch: (wait: Wait) => Promise<Lost>): Promise<T | Lost> {
  const ended = new AbortController();
  const wait: Wait = (ms) => pause(ms, undefined, { signal: ended.signal }).catch(() => new Promise<never>(() => {}));
  try {
    return await Promise.race([work(), watch(wait)]);
  } finally {
    ended.abort();
  }
}

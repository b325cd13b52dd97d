import { audited, type AuditLog } from "@tranche/shared/accounts/audit-log";
import type { DeadLetterStore } from "./store.ts";

/** The number of dead letters read at a time with --all. */
const AT_ONCE = 500;
/** Characters of ids in the audit log. */
const MAX_NAMED = 1000;

/** How many were retried or discarded, and how many can't be because Tranche did not write them. */
export type Counts = { done: number; foreign: number };

/** Raised for people: there is no dead letter with this id. */
export class NoDeadLetter extends Error {
  override name = "NoDeadLetter";
}

/** Retries or discards dead letters, by id or all of them, and records that in the audit log. Throws NoDeadLetter. */
export async function retryOrDiscard(
  log: AuditLog,
  store: DeadLetterStore,
  how: "retry" | "discard",
  ids: readonly string[] | "all",
): Promise<Counts> {
  const named = { ids: ids === "all" ? ids : ids.join(" ").slice(0, MAX_NAMED) };
  const past = how === "retry" ? "retried" : "discarded";
  return audited(
    log,
    `failed.${how}`,
    named,
    () => (ids === "all" ? eachOfAll(store, how) : each(store, how, ids)),
    ({ done }) => ({ [past]: String(done) }),
  );
}

async function each(deadLetters: DeadLetterStore, how: "retry" | "discard", ids: readonly string[]): Promise<Counts> {
  const counts = { done: 0, foreign: 0 };
  for (const id of ids) {
    const outcome = await deadLetters[how](id);
    if (outcome === "missing")
      throw new NoDeadLetter(`There is no dead letter or failed job '${id}'. \`ops failed list\` shows them.`);
    counts[outcome]++;
  }
  return counts;
}

/** Handles each current dead letter once. One that fails again meanwhile is left alone, or a retry would never end. */
async function eachOfAll(deadLetters: DeadLetterStore, how: "retry" | "discard"): Promise<Counts> {
  const counts = { done: 0, foreign: 0 };
  const seen = new Set<string>();
  const { total } = await deadLetters.list(1);
  let stillThere = 0;
  while (seen.size < total) {
    const limit = Math.min(AT_ONCE, total - seen.size) + stillThere;
    const { entries: some } = await deadLetters.list(limit);
    const open = some.filter(({ id }) => !seen.has(id));
    stillThere = some.length - open.length;
    if (open.length === 0 && some.length < limit) break;
    for (const { id } of open) {
      seen.add(id);
      const outcome = await deadLetters[how](id);
      if (outcome !== "missing") counts[outcome]++;
    }
  }
  return counts;
}

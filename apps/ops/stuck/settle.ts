import type { Ops } from "../ops.ts";
import { auditedHere } from "../audit/operator.ts";
import { Failure } from "../terminal/failure.ts";
import { createStuckStore, type StuckStore } from "./stuck.ts";

/** With --all, this many are taken at a time. */
const AT_ONCE = 500;
/** Characters of ids in the audit log. */
const MAX_NAMED = 1000;

/** How many were retried or discarded, and how many can't be because Tranche did not write them. */
export type Settled = { done: number; foreign: number };

/** Retries or discards dead letters, by id or all of them, and records that in the audit log. */
export async function settle(ops: Ops, how: "retry" | "discard", ids: readonly string[] | "all"): Promise<Settled> {
  const store = createStuckStore(await ops.engines());
  const named = { ids: ids === "all" ? ids : ids.join(" ").slice(0, MAX_NAMED) };
  const past = how === "retry" ? "retried" : "discarded";
  return auditedHere(
    ops,
    `failed.${how}`,
    named,
    () => (ids === "all" ? everyone(store, how) : each(store, how, ids)),
    ({ done }) => ({ [past]: String(done) }),
  );
}

async function each(stuck: StuckStore, how: "retry" | "discard", ids: readonly string[]): Promise<Settled> {
  const counts = { done: 0, foreign: 0 };
  for (const id of ids) {
    const outcome = await stuck[how](id);
    if (outcome === "missing") throw new Failure(`There is no dead letter '${id}'. \`ops failed list\` shows them.`);
    counts[outcome]++;
  }
  return counts;
}

/** Those that are there now, each once: what fails again meanwhile is left, or a retry would never end. */
async function everyone(stuck: StuckStore, how: "retry" | "discard"): Promise<Settled> {
  const counts = { done: 0, foreign: 0 };
  const seen = new Set<string>();
  const { total } = await stuck.list(1);
  let stillThere = 0;
  while (seen.size < total) {
    const limit = Math.min(AT_ONCE, total - seen.size) + stillThere;
    const { stuck: some } = await stuck.list(limit);
    const open = some.filter(({ id }) => !seen.has(id));
    stillThere = some.length - open.length;
    if (open.length === 0 && some.length < limit) break;
    for (const { id } of open) {
      seen.add(id);
      const outcome = await stuck[how](id);
      if (outcome !== "missing") counts[outcome]++;
    }
  }
  return counts;
}

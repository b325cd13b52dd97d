import type Router from "@koa/router";
import { bodyOf } from "@tranche/http/server/json-body";
import type { DeadLetterEntry } from "@tranche/operations/dead-letters/entry";
import { type Counts, retryOrDiscard } from "@tranche/operations/dead-letters/retry-or-discard";
import { createDeadLetterStore } from "@tranche/operations/dead-letters/store";
import { z } from "zod";
import { auditLogOf, type Parts } from "./parts.ts";

export type DeadLetterList = { total: number; entries: DeadLetterEntry[] };
export type { Counts };

const SHOWN = 200;
/** Characters of a dead letter's data that the list has. */
const MAX_DATA = 4000;

const chosen = z.object({
  /** Every dead letter there is, with `all`. */
  ids: z.union([z.literal("all"), z.array(z.string().max(300)).min(1).max(1000)], 'Give a list of ids, or "all".'),
});

/** Dead letters: what `ops failed` does. */
export function addDeadLetters(router: Router, { installation }: Parts): void {
  const store = createDeadLetterStore(installation);

  router.get("/dead-letters", async (ctx) => {
    const { total, entries } = await store.list(SHOWN);
    const list: DeadLetterList = { total, entries: entries.map(shortened) };
    ctx.body = { data: list };
  });

  for (const how of ["retry", "discard"] as const) {
    router.post(`/dead-letters/${how}`, async (ctx) => {
      const { ids } = bodyOf(ctx, chosen);
      const counts: Counts = await retryOrDiscard(auditLogOf(ctx, installation), store, how, ids);
      ctx.body = { data: counts };
    });
  }
}

/** A whole job can hold 500 records: its data is cut off. */
function shortened(entry: DeadLetterEntry): DeadLetterEntry {
  const text = JSON.stringify(entry.data, null, 2) ?? "";
  return { ...entry, data: text.length > MAX_DATA ? `${text.slice(0, MAX_DATA)} …` : text };
}

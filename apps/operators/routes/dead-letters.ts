import type Router from "@koa/router";
import { bodyOf } from "@tranche/http/server/json-body";
import type { DeadLetterEntry } from "@tranche/operations/dead-letters/entry";
import { type Counts, retryOrDiscard } from "@tranche/operations/dead-letters/retry-or-discard";
import { createDeadLetterStore } from "@tranche/operations/dead-letters/store";
import { dataText } from "@tranche/operations/queues/data-text";
import { chosen } from "./chosen.ts";
import { auditLogOf, type OperatorRouteParts } from "./parts.ts";

export type DeadLetterList = { total: number; entries: DeadLetterEntry[] };
export type { Counts };

const SHOWN = 200;

/** Dead letters: what `ops failed` does. */
export function addDeadLetters(router: Router, { installation }: OperatorRouteParts): void {
  const store = createDeadLetterStore(installation);

  router.get("/dead-letters", async (ctx) => {
    const { total, entries } = await store.list(SHOWN);
    const list: DeadLetterList = { total, entries: entries.map((entry) => ({ ...entry, data: dataText(entry.data) })) };
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

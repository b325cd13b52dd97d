import { retryOrDiscard } from "@tranche/operations/dead-letters/retry-or-discard";
import { createDeadLetterStore } from "@tranche/operations/dead-letters/store";
import { dataText } from "@tranche/operations/queues/data-text";
import { chosen } from "./chosen.ts";
import { auditLogOf, type OperatorRouteParts, request } from "./parts.ts";

const SHOWN = 200;

/** Dead letters: what `ops failed` does. */
export function deadLetterRequests({ installation }: OperatorRouteParts) {
  const store = createDeadLetterStore(installation);
  const act = (how: "retry" | "discard") =>
    request({ body: chosen }, ({ ctx, body: { ids } }) =>
      retryOrDiscard(auditLogOf(ctx, installation), store, how, ids),
    );
  return {
    "GET /dead-letters": request({}, async () => {
      const { total, entries } = await store.list(SHOWN);
      return { total, entries: entries.map((entry) => ({ ...entry, data: dataText(entry.data) })) };
    }),
    "POST /dead-letters/retry": act("retry"),
    "POST /dead-letters/discard": act("discard"),
  };
}

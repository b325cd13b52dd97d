import type { Client } from "@elastic/elasticsearch";
import { type OnRetry, retryForever } from "../../engines/search/retry-forever.ts";

/** The document of the ceiling in the control index. */
const CEILING_ID = "ticket-ceiling";

export type CeilingParts = { client: Client; controlIndex: string; onRetry?: OnRetry };

/** The stored ceiling with what guards a write of it. None before the first ticket. */
async function readStored({ client, controlIndex: index, onRetry }: CeilingParts) {
  const found = await retryForever(
    () => client.get<{ value: number }>({ index, id: CEILING_ID }, { ignore: [404] }),
    onRetry,
  );
  if (!found.found || !found._source) return undefined;
  return { value: found._source.value, if_seq_no: found._seq_no!, if_primary_term: found._primary_term! };
}

/** The ceiling of the ticket clock: no ticket and no version from the clock is above it. None before the first ticket. */
export async function readCeiling(parts: CeilingParts): Promise<number | undefined> {
  return (await readStored(parts))?.value;
}

/** Raises the stored ceiling to at least `wanted` and returns what it is then. */
export async function raiseCeiling(parts: CeilingParts, wanted: number): Promise<number> {
  const { client, controlIndex: index, onRetry } = parts;
  for (;;) {
    const stored = await readStored(parts);
    if (stored && stored.value >= wanted) return stored.value;
    const guard = stored
      ? { if_seq_no: stored.if_seq_no, if_primary_term: stored.if_primary_term }
      : { op_type: "create" as const };
    const done = await retryForever(
      () =>
        client.index({ index, id: CEILING_ID, document: { value: wanted }, ...guard }, { ignore: [409], meta: true }),
      onRetry,
    );
    if (done.statusCode !== 409) return wanted;
  }
}

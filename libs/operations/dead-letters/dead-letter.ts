import { z } from "zod";
import type { DeadLetter } from "@tranche/shared/protocol/queue/queues";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";

/** The record write of a dead letter may have any shape, because unreadable writes become dead letters, too. */
const DEAD_LETTER = z.object({
  what: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("write"), write: z.unknown() }),
    z.object({ kind: z.literal("document"), model: z.enum(READ_MODELS), id: z.string() }),
  ]),
  reason: z.string(),
});

/** Reads the data of a job as a dead letter; undefined when Tranche did not write it. */
export function readDeadLetter(data: unknown): DeadLetter | undefined {
  const read = DEAD_LETTER.safeParse(data);
  return read.success ? (read.data as DeadLetter) : undefined;
}

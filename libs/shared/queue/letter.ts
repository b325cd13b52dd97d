import { z } from "zod";
import type { DeadLetter } from "./queues.ts";

/** A record write in a letter may be anything: it is a letter because it could not be read. */
const LETTER = z.object({
  what: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("write"), write: z.unknown() }),
    z.object({ kind: z.literal("document"), model: z.enum(["funding", "signals"]), id: z.string() }),
  ]),
  reason: z.string(),
});

/** Reads the data of a job as a dead letter; undefined when Tranche did not write it. */
export function readLetter(data: unknown): DeadLetter | undefined {
  const read = LETTER.safeParse(data);
  return read.success ? (read.data as DeadLetter) : undefined;
}

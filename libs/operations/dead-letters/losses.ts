import type { Origin } from "@tranche/shared/protocol/queue/enqueue";
import { createIngestLosses } from "@tranche/shared/protocol/runs/ingest-losses";
import { redisLosses } from "@tranche/shared/protocol/runs/redis-loss";
import type { Installation } from "../installation/installation.ts";

/** A loss of Redis: writes of one ingest, or (`lost` is empty) jobs that other programs may have enqueued. */
export type Loss = { id: string; at: string; files: string[]; lost: Origin[] };

/** The losses of an installation that are not resolved. */
export function createLosses({ client, names }: Pick<Installation, "client" | "names">) {
  const ingests = createIngestLosses(client, names);
  return {
    /** The newest first. */
    async open(): Promise<Loss[]> {
      const [ofRuns, ofRedis] = await Promise.all([ingests.open(), redisLosses(client, names)]);
      const all = [
        ...ofRuns.map(({ id, at, files, lost }) => ({ id, at, files, lost })),
        ...ofRedis.map(({ id, at }) => ({ id, at, files: [], lost: [] })),
      ];
      return all.toSorted((a, b) => (a.at < b.at ? 1 : -1));
    },
    resolve: (ids: readonly string[]) =>
      ingests.resolve(
        ids.map((id) => ({ id })),
        "an operator",
      ),
  };
}

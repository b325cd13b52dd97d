import { setTimeout as pause } from "node:timers/promises";
import type { Breakable } from "./breakable.ts";
import type { DrillContext, Outcome } from "./drill.ts";
import type { Installation } from "./installation.ts";
import { ingestWithLoss } from "./lossy-ingest.ts";
import type { Replication } from "./redis-replication.ts";

/** A replica that has been cut off for much longer than ten times the time after which its master counts as away does not take over. */
const BEHIND_AT_MOST_MS = 5000;

/** Few jobs at a time, so that acknowledged ones still wait when the master is killed. */
export const FAILOVER_ENV = { TRANCHE_INDEXER_CONCURRENCY: "3" };

/** Has a replica that lacks acknowledged jobs take over from its master, during `ops ingest --wait`. `comesBack`: the old master does. */
export async function ingestWithFailover(
  context: DrillContext,
  installation: Installation,
  { master, replication, comesBack }: { master: Breakable; replication: Replication; comesBack: boolean },
): Promise<Outcome> {
  const { say, size } = context;
  let failoverMs = 0;
  const records = size === "full" ? 150_000 : 8000;
  const { checks, figures } = await ingestWithLoss(context, installation, records, async (acknowledged) => {
    await acknowledged(1 / 5);
    await replication.cut();
    await Promise.race([acknowledged(1 / 2), pause(BEHIND_AT_MOST_MS)]);
    const start = performance.now();
    await master.kill();
    say("the master is killed");
    await replication.takenOver();
    failoverMs = Math.round(performance.now() - start);
    say(`the replica is the master after ${failoverMs} ms; the old master ${comesBack ? "comes back" : "stays away"}`);
    if (comesBack) await master.start();
  });
  return { checks, figures: { ...figures, failover_ms: failoverMs } };
}

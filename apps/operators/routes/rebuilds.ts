import { cancelRunningRebuild, planRebuild, rollBack } from "@tranche/operations/rebuild/by-operators";
import { isRolledBack } from "@tranche/operations/rebuild/rolled-back";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { createRebuildStore, isRunning } from "@tranche/shared/protocol/rebuild/state";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { PageError } from "@tranche/http/errors/page-error";
import { memoizeFor } from "@tranche/http/server/memoize-for";
import { auditLogOf, type OperatorRouteParts, request } from "./parts.ts";

/** The last rebuild: what `ops reindex` and `ops rollback` do. */
export function rebuildRequests({ installation }: OperatorRouteParts) {
  const { client, names } = installation;
  const rebuilds = createRebuildStore(client, names);
  const read = memoizeFor(0, async () => {
    const [last, roles] = await Promise.all([rebuilds.read(), readIndexRoles(client, names)]);
    const rebuild = last?.rebuild ?? null;
    const running = rebuild !== null && isRunning(rebuild);
    return {
      /** The last one; null when there was none. */
      rebuild,
      running,
      rolled_back: rebuild !== null && isRolledBack(rebuild, roles),
      /** Whether the indices from before it are kept. */
      can_roll_back: !running && READ_MODELS.every((model) => roles[model].live && roles[model].previous),
      roles,
    };
  });

  return {
    "GET /rebuild": request({}, read),

    "POST /rebuild/start": request({ status: 201 }, async ({ ctx }) => {
      const { planned, rebuild } = await planRebuild(installation, auditLogOf(ctx, installation));
      if (!planned) throw new PageError("conflict", `Rebuild ${rebuild.id} is already running.`);
      return read();
    }),

    "POST /rebuild/cancel": request({}, async ({ ctx }) => {
      const { outcome, rebuild } = await cancelRunningRebuild(installation, auditLogOf(ctx, installation));
      if (outcome === "none_running") throw new PageError("conflict", "No rebuild is running.");
      if (outcome === "too_late") {
        throw new PageError("conflict", `Rebuild ${rebuild!.id} has already finished. It can be rolled back.`);
      }
      return read();
    }),

    "POST /rebuild/rollback": request({}, async ({ ctx }) => {
      await rollBack(installation, auditLogOf(ctx, installation));
      return read();
    }),
  };
}

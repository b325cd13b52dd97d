import type Router from "@koa/router";
import { cancelRunningRebuild, planRebuild, rollBack } from "@tranche/operations/rebuild/by-operators";
import { isRolledBack } from "@tranche/operations/rebuild/rolled-back";
import { readRoles, type Roles } from "@tranche/shared/protocol/rebuild/roles";
import { createRebuildStore, isRunning, type Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { PageError } from "@tranche/http/errors/page-error";
import { memoizeFor } from "@tranche/http/server/memoize-for";
import { auditLogOf, type OperatorRouteParts } from "./parts.ts";

export type RebuildView = {
  /** The last one; null when there was none. */
  rebuild: Rebuild | null;
  running: boolean;
  rolled_back: boolean;
  /** Whether the indices from before it are kept. */
  can_roll_back: boolean;
  roles: Roles;
};

/** The last rebuild: what `ops reindex` and `ops rollback` do. */
export function addRebuilds(router: Router, { installation }: OperatorRouteParts): void {
  const { client, names } = installation;
  const rebuilds = createRebuildStore(client, names);
  const read = memoizeFor(0, async (): Promise<RebuildView> => {
    const [last, roles] = await Promise.all([rebuilds.read(), readRoles(client, names)]);
    const rebuild = last?.rebuild ?? null;
    const running = rebuild !== null && isRunning(rebuild);
    return {
      rebuild,
      running,
      rolled_back: rebuild !== null && isRolledBack(rebuild, roles),
      can_roll_back: !running && READ_MODELS.every((model) => roles[model].live && roles[model].previous),
      roles,
    };
  });

  router.get("/rebuild", async (ctx) => {
    ctx.body = { data: await read() };
  });

  router.post("/rebuild/start", async (ctx) => {
    const { planned, rebuild } = await planRebuild(installation, auditLogOf(ctx, installation));
    if (!planned) throw new PageError("conflict", `Rebuild ${rebuild.id} is already running.`);
    ctx.status = 201;
    ctx.body = { data: await read() };
  });

  router.post("/rebuild/cancel", async (ctx) => {
    const { outcome, rebuild } = await cancelRunningRebuild(installation, auditLogOf(ctx, installation));
    if (outcome === "none_running") throw new PageError("conflict", "No rebuild is running.");
    if (outcome === "too_late") {
      throw new PageError("conflict", `Rebuild ${rebuild!.id} has already finished. It can be rolled back.`);
    }
    ctx.body = { data: await read() };
  });

  router.post("/rebuild/rollback", async (ctx) => {
    await rollBack(installation, auditLogOf(ctx, installation));
    ctx.body = { data: await read() };
  });
}

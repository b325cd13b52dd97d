import type Router from "@koa/router";
import { readStatus, type Status } from "@tranche/operations/status/status";
import type { Plan } from "@tranche/shared/accounts/plans";
import { memoizeFor } from "@tranche/http/server/memoize-for";
import type { OperatorRouteParts } from "./parts.ts";

export type StatusView = Status & { read_at: string };
export type PlanView = Plan & { id: string };

/** Several open pages share a reading. */
const STATUS_FOR_MS = 1000;

/** The state of the installation, as `ops status` shows it, and the plans in force. */
export function addStatus(router: Router, { installation, version, plans }: OperatorRouteParts): void {
  // Reading waits while Elasticsearch is away. One reading at a time does not pile up.
  const read = memoizeFor(STATUS_FOR_MS, async (): Promise<StatusView> => {
    const status = await readStatus(installation, version);
    return { ...status, read_at: new Date().toISOString() };
  });
  router.get("/status", async (ctx) => {
    ctx.body = { data: await read() };
  });

  router.get("/plans", (ctx) => {
    ctx.body = { data: Object.entries(plans()).map(([id, plan]): PlanView => ({ id, ...plan })) };
  });
}

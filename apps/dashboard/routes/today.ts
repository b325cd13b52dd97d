import type Router from "@koa/router";
import type { DashboardParts } from "./parts.ts";

/** The UTC day that signals and periods are counted from, `YYYY-MM-DD`. */
export type TodayView = { today: string };

export function addToday(router: Router, { requireSession, now }: DashboardParts): void {
  router.get("/today", async (ctx) => {
    await requireSession(ctx);
    const data: TodayView = { today: new Date(now()).toISOString().slice(0, "YYYY-MM-DD".length) };
    ctx.body = { data };
  });
}

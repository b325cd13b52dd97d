import type Router from "@koa/router";
import { PageError } from "@tranche/http/errors/page-error";
import { auditView } from "@tranche/operations/accounts/audit-view";
import type { OperatorRouteParts } from "./parts.ts";

export type AuditView = ReturnType<typeof auditView>;

const SHOWN = 200;
const MOST = 2000;

/** The audit log, the newest first; of one account with `account`. */
export function addAudit(router: Router, { doingAs }: OperatorRouteParts): void {
  const { accounts } = doingAs("operators");
  router.get("/audit", async (ctx) => {
    const { account, limit = String(SHOWN) } = ctx.query;
    if (typeof limit !== "string" || !/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > MOST) {
      throw new PageError("invalid_request", `limit must be a whole number from 1 to ${MOST}.`, {
        parameter: "limit",
      });
    }
    const of = typeof account === "string" && account !== "" ? { account } : {};
    const entries = await accounts.audit({ ...of, limit: Number(limit) });
    ctx.body = { data: entries.map(auditView) };
  });
}

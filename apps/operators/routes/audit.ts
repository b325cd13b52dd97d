import type Router from "@koa/router";
import type { AuditDetails, AuditEntry } from "@tranche/shared/accounts/audit";
import { PageError } from "@tranche/http/errors/page-error";
import type { OperatorRouteParts } from "./parts.ts";

export type AuditView = {
  id: string;
  at: string;
  actor: string;
  action: string;
  account: string | null;
  key_id: string | null;
  details: AuditDetails;
};

const SHOWN = 200;
const MOST = 2000;

/** The audit log, the newest first; of one account with `account`. */
export function addAudit(router: Router, { accountsAs }: OperatorRouteParts): void {
  router.get("/audit", async (ctx) => {
    const { account, limit = String(SHOWN) } = ctx.query;
    if (typeof limit !== "string" || !/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > MOST) {
      throw new PageError("invalid_request", `limit must be a whole number from 1 to ${MOST}.`, {
        parameter: "limit",
      });
    }
    const of = typeof account === "string" && account !== "" ? { account } : {};
    const entries = await accountsAs("operators").audit({ ...of, limit: Number(limit) });
    ctx.body = { data: entries.map(viewOf) };
  });
}

const viewOf = ({ audit_id, at, actor, action, account, key_id, details }: AuditEntry): AuditView => ({
  id: audit_id,
  at,
  actor,
  action,
  account: account ?? null,
  key_id: key_id ?? null,
  details: details ?? {},
});

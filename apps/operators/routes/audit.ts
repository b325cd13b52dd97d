import { PageError } from "@tranche/http/errors/page-error";
import { auditView } from "@tranche/operations/accounts/audit-view";
import { type OperatorRouteParts, request } from "./parts.ts";

const SHOWN = 200;
const MOST = 2000;

/** The audit log, the newest first; of one account with `account`. */
export function auditRequests({ doingAs }: OperatorRouteParts) {
  const { accounts } = doingAs("operators");
  return {
    "GET /audit": request({}, async ({ ctx }) => {
      const { account, limit = String(SHOWN) } = ctx.query;
      if (typeof limit !== "string" || !/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > MOST) {
        throw new PageError("invalid_request", `limit must be a whole number from 1 to ${MOST}.`, {
          parameter: "limit",
        });
      }
      const of = typeof account === "string" && account !== "" ? { account } : {};
      const entries = await accounts.audit({ ...of, limit: Number(limit) });
      return entries.map(auditView);
    }),
  };
}

import type { AuditEntry } from "@tranche/shared/accounts/audit";
import { PageError } from "@tranche/http/errors/page-error";
import { logEntryView } from "./log-view.ts";
import type { DashboardParts } from "./parts.ts";
import { request } from "./requests.ts";

const PAGE = 100;
const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~([\da-f-]{36})$/;

/** The account's log: what members and operators did to it. */
export function logRequests({ accountsAs, webhooksAs }: DashboardParts) {
  return {
    /** A page of the log, the newest first. `next`: what to ask for with `after`; null at the end. */
    "GET /log": request({ role: "admin" }, async ({ account, ctx }) => {
      const place = ctx.query["after"];
      const after = place === undefined ? undefined : PLACE.exec(String(place));
      if (after === null) {
        throw new PageError("invalid_request", "'after' is not a place in the log: send 'next' of the page before.", {
          parameter: "after",
        });
      }
      const accounts = accountsAs("dashboard");
      const [entries, keys, webhooks] = await Promise.all([
        accounts.audit({
          account: account.account,
          limit: PAGE + 1,
          ...(after ? { after: { at: after[1]!, audit_id: after[2]! } } : {}),
        }),
        accounts.keys(account.account),
        webhooksAs("dashboard").ofAccount(account.account),
      ]);
      const names = new Map([
        ...keys.map(({ key_id, name }) => [key_id, name] as const),
        ...webhooks.map(({ webhook_id, name }) => [webhook_id, name] as const),
      ]);
      const shown = entries.slice(0, PAGE);
      return {
        entries: shown.map((entry) => logEntryView(entry, names)),
        next: entries.length > PAGE ? placeOf(shown.at(-1)!) : null,
      };
    }),
  };
}

const placeOf = ({ at, audit_id }: AuditEntry): string => `${at}~${audit_id}`;

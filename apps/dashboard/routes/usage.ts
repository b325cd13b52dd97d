import { ERRORS, type ErrorCode } from "@tranche/http/errors/api-errors";
import {
  STATUS_CLASSES,
  type StatusClass,
  USAGE_DAYS,
  USAGE_WAYS,
  type UsageWay,
} from "@tranche/shared/accounts/daily-usage";
import { RECENT_ERROR_DAYS } from "@tranche/shared/accounts/recent-errors";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import type { DashboardParts } from "./parts.ts";
import { request } from "./requests.ts";

type Known = { name: string; prefix: string | null; ended: boolean };
const DASHBOARD: Known = { name: "Dashboard", prefix: null, ended: false };

/** The usage of the account's keys and connected applications. Sessions of the dashboard are shown as one. */
export function usageRequests({ accountsAs, grantsAs, dailyUsage, recentErrors }: DashboardParts) {
  /** The keys and connected applications of an account, by the id that their requests are counted by. */
  const callersOf = async (account: string, now: number): Promise<Map<string, Known>> => {
    const [keys, grants] = await Promise.all([
      accountsAs("dashboard").keys(account),
      grantsAs("dashboard").everyOf(account),
    ]);
    const expired = (at: string | null) => at !== null && Date.parse(at) <= now;
    return new Map<string, Known>([
      ...keys.map(({ key_id, name, prefix, expires_at, revoked_at }) => {
        const ended = expired(expires_at) || !!revoked_at;
        return [key_id, { name, prefix, ended }] as const;
      }),
      // An end is an expiry, too.
      ...grants.map((grant) => {
        const ended = expired(grant.expires_at);
        return [grant.key_id, { name: grant.client.name, prefix: null, ended }] as const;
      }),
    ]);
  };

  return {
    /** Requests of the last 90 days. */
    "GET /usage/daily": request({ role: "viewer" }, async ({ account }) => {
      const now = Date.now();
      const [lines, known] = await Promise.all([
        dailyUsage.read(account.account, now),
        callersOf(account.account, now),
      ]);
      const first = dayOfTime(now) - USAGE_DAYS + 1;
      const sums = <Id>() => new Map<Id, number[]>();
      const [statuses, ways, byId] = [sums<StatusClass>(), sums<UsageWay>(), sums<string | null>()];
      const add = <Id>(to: Map<Id, number[]>, id: Id, day: string, requests: number) => {
        const counts = to.get(id) ?? zeros();
        counts[dayOfTime(Date.parse(day)) - first]! += requests;
        to.set(id, counts);
      };
      for (const { keyId, day, status, way, requests } of lines) {
        add(statuses, status, day, requests);
        add(ways, way, day, requests);
        add(byId, known.has(keyId) ? keyId : null, day, requests);
      }
      return {
        /** The service's time, and when the account was created. */
        now: new Date(now).toISOString(),
        account_since: account.created_at,
        /** `YYYY-MM-DD`, UTC, the oldest first; today is the last. */
        days: Array.from({ length: USAGE_DAYS }, (_, day) => isoDay(first + day)),
        /** Requests per day by class of status (`2xx`). */
        by_status: STATUS_CLASSES.map((status) => ({ status, requests: statuses.get(status) ?? zeros() })),
        /** Requests per day to the API, and of assistants to `/mcp`. */
        by_way: USAGE_WAYS.map((way) => ({ way, requests: ways.get(way) ?? zeros() })),
        /** Requests per day by key or connected application, the one with most first. `key_id` is null for the dashboard's own. */
        by_key: [...byId]
          .map(([key_id, requests]) => {
            const { name, prefix, ended } = known.get(key_id ?? "") ?? DASHBOARD;
            return { key_id, name, prefix, ended, requests };
          })
          .toSorted((a, b) => sum(b.requests) - sum(a.requests)),
      };
    }),

    /** Requests that were refused or failed. */
    "GET /usage/errors": request({ role: "viewer" }, async ({ account }) => {
      const now = Date.now();
      const [errors, known] = await Promise.all([
        recentErrors.read(account.account, now),
        callersOf(account.account, now),
      ]);
      return {
        days: RECENT_ERROR_DAYS,
        errors: errors.map(({ key_id, ...error }) => ({
          ...error,
          /** Name of the key or the connected application; of the dashboard for its own requests. */
          key: (known.get(key_id) ?? DASHBOARD).name,
          remedy: remedyOf(error.code),
        })),
      };
    }),
  };
}

const remedyOf = (code: string): string => ERRORS[code as ErrorCode]?.remedy ?? "";
const zeros = () => Array.from({ length: USAGE_DAYS }, () => 0);
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

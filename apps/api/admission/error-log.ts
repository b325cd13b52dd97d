import { MAX_RECENT_ERRORS, type RecentError, type RecentErrors } from "@tranche/shared/accounts/recent-errors";
import { withoutKeys } from "@tranche/shared/accounts/without-keys";
import type { Logger } from "@tranche/shared/process/logger";
import type { Timing } from "@tranche/shared/process/timing";
import type { HttpError } from "@tranche/http/errors/http-error";
import type { Context } from "koa";
import { chargeOf } from "./charge.ts";

/** Accounts that one write records; more at once are not recorded. */
const MAX_ACCOUNTS = 1000;
const MAX_URL = 500;
const MAX_MESSAGE = 300;
const MAX_PARAMETER = 100;

/** Records requests that were refused or failed. They are collected in memory and written apart from requests. */
export type ErrorLog = {
  /** Requests without a valid key are not recorded. */
  record: (refused: Pick<Context, "method" | "url" | "status" | "state"> & { route?: string | undefined }) => void;
  /** Writes the errors that are not written yet. */
  close: () => Promise<void>;
};

/** Writes to `recent`, at most the newest 100 of each account. `now` in ms. */
export function createErrorLog(parts: {
  recent: Pick<RecentErrors, "add">;
  log: Logger;
  timing: Timing;
  now: () => number;
}): ErrorLog {
  const { recent, log, timing, now } = parts;
  let unwritten = new Map<string, RecentError[]>();

  const write = async () => {
    if (unwritten.size === 0) return;
    const errors = new Map(
      [...unwritten].map(([account, each]) => [account, each.slice(-MAX_RECENT_ERRORS).map(shown)]),
    );
    const taken = unwritten;
    unwritten = new Map();
    try {
      for (const account of await recent.add(errors)) {
        if (!unwritten.has(account) && unwritten.size < MAX_ACCOUNTS) unwritten.set(account, taken.get(account)!);
      }
    } catch (error) {
      log.warn({ err: error }, "errors for the dashboard were lost");
    }
  };
  const timer = setInterval(() => void write(), timing.usageWrite).unref();

  return {
    record({ method, url, status, state, route }) {
      const charge = chargeOf({ state } as Context);
      if (!charge) return;
      let errors = unwritten.get(charge.handle);
      if (!errors) {
        if (unwritten.size >= MAX_ACCOUNTS) return;
        unwritten.set(charge.handle, (errors = []));
      }
      // Dropping the oldest only now and then is cheaper than at each error.
      if (errors.length >= 2 * MAX_RECENT_ERRORS) errors.splice(0, MAX_RECENT_ERRORS);
      const error = state.error as HttpError | undefined;
      errors.push({
        at: new Date(now()).toISOString(),
        method,
        url,
        status,
        ...(route === undefined ? {} : { route }),
        code: error?.code ?? "",
        message: error?.message ?? "",
        request_id: String(state.requestId),
        key_id: charge.keyId,
        ...(error?.details?.[0] ? { parameter: error.details[0].parameter } : {}),
      });
    },
    async close() {
      clearInterval(timer);
      await write();
    },
  };
}

/** The stored form: without keys, truncated. */
function shown(error: RecentError): RecentError {
  const { url, message, parameter, ...rest } = error;
  return {
    ...rest,
    url: withoutKeys(url).slice(0, MAX_URL),
    message: withoutKeys(message).slice(0, MAX_MESSAGE),
    ...(parameter === undefined ? {} : { parameter: withoutKeys(parameter).slice(0, MAX_PARAMETER) }),
  };
}

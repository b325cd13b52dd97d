import type { MonthCountBackup } from "@tranche/shared/accounts/month-count-backup";
import type { Logger } from "@tranche/shared/process/logger";
import { chunks } from "@tranche/shared/engines/search/chunks";
import type { Counters } from "./counters.ts";

/** If Redis loses its data, at most this much of a month is lost. */
const EVERY_MS = 20_000;
/** Accounts per write: more at once would keep requests waiting. */
const AT_ONCE = 200;

/** Saves the counts of the month in Elasticsearch, apart from requests. Refunds the advances of killed processes first. */
type MonthLog = {
  /** An account has made a request. */
  record(handle: string): void;
  /** Saves the counts that are not saved yet. */
  close: () => Promise<void>;
};

export function createMonthLog({
  months,
  counters,
  log,
}: {
  months: Pick<MonthCountBackup, "keep">;
  counters: Pick<Counters, "refundExpired">;
  log: Logger;
}): MonthLog {
  let active = new Set<string>();

  const refundExpired = async (account: string) => {
    const { requests, leased } = await counters.refundExpired(account);
    if (requests > 0) log.info({ account, requests }, "requests of an export whose process was killed were refunded");
    // Its lease may expire without another request of the account.
    if (leased > 0) active.add(account);
  };
  const keep = async () => {
    const handles = [...active];
    active = new Set();
    for (const some of chunks(handles, AT_ONCE)) {
      try {
        await Promise.all(some.map(refundExpired));
        await months.keep(some);
      } catch (error) {
        log.warn(
          { reason: (error as Error).message },
          "counts of the month could not be kept; the next time tries again",
        );
        for (const handle of some) active.add(handle);
      }
    }
  };
  const timer = setInterval(() => void keep(), EVERY_MS).unref();

  return {
    record: (handle) => void active.add(handle),
    async close() {
      clearInterval(timer);
      await keep();
    },
  };
}

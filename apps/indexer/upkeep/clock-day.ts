import type { Client } from "@elastic/elasticsearch";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";

const ID = "clock-day";

type ClockDay = { kind: "clock-day"; day: string };

/** Where the latest day that documents were derived by is stored. Days are ISO dates. */
export type DayStore = {
  read: () => Promise<string | undefined>;
  write: (day: string) => Promise<void>;
};

export function createDayStore(client: Client, names: IndexNames): DayStore {
  const index = names.control;
  return {
    read: async () => {
      const found = await retryForever(() => client.get<ClockDay>({ index, id: ID }, { ignore: [404] }));
      return found._source?.day;
    },
    write: async (day) => {
      const document: ClockDay = { kind: "clock-day", day };
      await retryForever(() => client.index({ index, id: ID, document }));
    },
  };
}

/** Stores today unless the stored day is the same or later. */
export async function recordDay(days: DayStore, today: string): Promise<void> {
  const stored = await days.read();
  if (stored === undefined || stored < today) await days.write(today);
}

/**
 * Checks at the start whether the clock is set to an earlier day than documents were derived by. If so, all documents have to be
 * derived again: their `next_change_at` says when they change after that day, not how they were before it. `rederive` must have
 * enqueued that when it resolves, because the stored day then goes back and the check finds nothing the next time.
 */
export async function checkForEarlierDay(
  days: DayStore,
  today: string,
  rederive: (stored: string) => Promise<void>,
): Promise<void> {
  const stored = await days.read();
  if (stored === undefined || stored <= today) return;
  await rederive(stored);
  await days.write(today);
}

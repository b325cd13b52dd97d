import type { Client } from "@elastic/elasticsearch";
import type { IndexNames } from "@tranche/shared/search/index-names";
import { retryForever } from "@tranche/shared/search/retry-forever";
import { dayOfTime, isoDay } from "@tranche/shared/time/day";

const ID = "clock-day";

type ClockDay = { kind: "clock-day"; day: string };
type Parts = { client: Client; names: IndexNames; now: () => number };

/** Keeps the latest day that documents are derived by. */
export async function noteDay(parts: Parts): Promise<void> {
  const today = isoDay(dayOfTime(parts.now()));
  const noted = await readDay(parts);
  if (noted === undefined || noted < today) await writeDay(parts, today);
}

/**
 * Told once, at the start: whether the clock stands on an earlier day than documents were derived by. Their `next_change_at` says
 * when they change after that day, not what they were before it, so all have to be derived again: `rederive` has to have enqueued
 * that when it returns.
 */
export async function watchForEarlierDay(parts: Parts, rederive: (noted: string) => Promise<void>): Promise<void> {
  const today = isoDay(dayOfTime(parts.now()));
  const noted = await readDay(parts);
  if (noted === undefined || noted <= today) return;
  await rederive(noted);
  await writeDay(parts, today);
}

async function readDay({ client, names }: Parts): Promise<string | undefined> {
  const found = await retryForever(() => client.get<ClockDay>({ index: names.control, id: ID }, { ignore: [404] }));
  return found._source?.day;
}

async function writeDay({ client, names }: Parts, day: string): Promise<void> {
  const document: ClockDay = { kind: "clock-day", day };
  await retryForever(() => client.index({ index: names.control, id: ID, document }));
}

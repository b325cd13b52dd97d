import { byCodePoint } from "../text/order.ts";
import type { CompanyRecord } from "./record.ts";
import type { StoredRecord, StoredSnapshot } from "./stored.ts";

/** The known facts of a company on a day; a field is null when nobody observed it. */
export type Snapshot = Pick<StoredSnapshot, "observed_at" | "technologies" | "headcount">;

/** A value with the day (YYYY-MM-DD) on which it was observed. */
export type Observed<T> = { value: T; observed_at: string };

/** The document of a deletion of a company, with the id that follows from the company. */
export function deletionOf({
  id: company_id,
  version,
  updated_at,
}: Pick<StoredRecord, "id" | "version" | "updated_at">): {
  id: string;
  document: StoredSnapshot;
} {
  const id = `${company_id}#deleted`;
  const observed_at = updated_at.slice(0, "YYYY-MM-DD".length);
  return { id, document: { id, version, company_id, observed_at, technologies: null, headcount: null, deleted: true } };
}

/** The version of the newest deletion of a company. Snapshots up to it no longer count, also when the company comes again. */
export function deletedAt(stored: readonly StoredSnapshot[]): number {
  return stored.find(({ deleted }) => deleted)?.version ?? -1;
}

/** The snapshots of a company that count, one for each day: each field as it was last written, whatever arrived last. */
export function daysOf(stored: readonly StoredSnapshot[]): Snapshot[] {
  const deleted = deletedAt(stored);
  const written = stored
    .filter(({ version }) => version > deleted)
    .toSorted((a, b) => a.version - b.version || byCodePoint(a.id, b.id));
  return [...Map.groupBy(written, ({ observed_at }) => observed_at)].map(([observed_at, ofDay]) => {
    const day: Snapshot = { observed_at, technologies: null, headcount: null };
    for (const { technologies, headcount } of ofDay) {
      day.technologies = technologies ?? day.technologies;
      day.headcount = headcount ?? day.headcount;
    }
    return day;
  });
}

/**
 * The stack and the headcount of a company that count: the newest observation of each by its day, whatever arrived last. A field that
 * the record does not have is null.
 */
export function observedNow(
  record: CompanyRecord,
  days: readonly Snapshot[],
): { technologies: Observed<string[]> | null; headcount: Observed<number> | null } {
  const { observed_at } = record;
  return {
    technologies: record.tech_stack && (newest(days, "technologies") ?? { value: record.tech_stack, observed_at }),
    headcount:
      record.headcount === null ? null : (newest(days, "headcount") ?? { value: record.headcount, observed_at }),
  };
}

type Field = "technologies" | "headcount";

function newest<F extends Field>(days: readonly Snapshot[], field: F): Observed<NonNullable<Snapshot[F]>> | undefined {
  let last: Observed<NonNullable<Snapshot[F]>> | undefined;
  for (const { observed_at, [field]: value } of days) {
    if (value !== null && (last === undefined || observed_at > last.observed_at)) last = { value, observed_at };
  }
  return last;
}

import type { Client } from "@elastic/elasticsearch";

/** A document that one process at a time holds. Its holder renews `alive_at` (ISO time); one that has not for `LEASE_MS` is dead. */
export type Holdable = { id: string; alive_at: string };

/** A process that was killed is known to be dead after this time. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 5000;

export const isHolderDead = ({ alive_at }: Pick<Holdable, "alive_at">, now: number): boolean =>
  Date.parse(alive_at) + LEASE_MS < now;

/** The version that a writer has to have read: no writer between. */
export type Guard = { if_seq_no: number; if_primary_term: number };

export async function readHoldable<T extends Holdable>(
  client: Client,
  index: string,
  id: string,
): Promise<{ document: T; guard: Guard } | undefined> {
  const found = await client.get<T>({ index, id }, { ignore: [404] });
  if (!found.found) return undefined;
  return { document: found._source!, guard: { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! } };
}

/** A document that this process holds, until it lets it go or somebody else has taken it. */
export type Held<T> = {
  change(fields: Partial<T>): Promise<void>;
  /** Changes it a last time, and renews it no longer. */
  release(fields: Partial<T>): Promise<void>;
  remove(): Promise<void>;
};

/**
 * Takes a document by compare-and-set: undefined when somebody else was faster. `guard` is that of the reading; undefined when there
 * was none. `now`: real time in ms.
 */
export async function hold<T extends Holdable>(
  client: Client,
  index: string,
  { document, guard: read, now }: { document: Omit<T, "alive_at">; guard: Guard | undefined; now: () => number },
): Promise<Held<T> | undefined> {
  const stamp = () => new Date(now()).toISOString();
  const write = async (next: T, guard: Guard | { op_type: "create" }): Promise<Guard | undefined> => {
    const request = { index, id: next.id, document: next, refresh: true, ...guard };
    const done = await client.index(request, { ignore: [409], meta: true });
    if (done.statusCode === 409) return undefined;
    return { if_seq_no: done.body._seq_no!, if_primary_term: done.body._primary_term! };
  };
  let current = { ...document, alive_at: stamp() } as T;
  /** Undefined when somebody else has taken it. */
  let guard = await write(current, read ?? { op_type: "create" });
  if (!guard) return undefined;

  let last: Promise<unknown> = Promise.resolve();
  // One after the other, because each needs the guard of the one before.
  const next = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const change = (fields: Partial<T>) =>
    next(async () => {
      if (!guard) return;
      current = { ...current, ...fields, alive_at: stamp() };
      guard = await write(current, guard);
    });
  const renewing = setInterval(() => void change({}).catch(() => {}), RENEW_EVERY_MS);
  renewing.unref();
  return {
    change,
    release(fields) {
      clearInterval(renewing);
      return change(fields);
    },
    remove() {
      clearInterval(renewing);
      return next(async () => {
        if (guard) await client.delete({ index, id: current.id, refresh: true, ...guard }, { ignore: [404, 409] });
        guard = undefined;
      });
    },
  };
}

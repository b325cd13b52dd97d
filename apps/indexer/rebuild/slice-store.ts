import type { Client } from "@elastic/elasticsearch";
import type { Guard } from "@tranche/shared/engines/search/held-document";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { retryForever, wholeDocuments } from "@tranche/shared/engines/search/retry-forever";

/** How one run of a sliced work is cut up: all ids, cut at `bounds`. */
export type SlicePlan = { run: string; bounds: string[] };

/** How far a slice has come: the last id whose page and all before it are done, and what they gave. */
export type Slice<Found> = {
  run: string;
  cursor: string | null;
  done: boolean;
  found: Found;
  /** Times that it failed since its cursor moved last, and why the last time. */
  failures?: number;
  reason?: string;
};

/** A slice as it was read, with what guards its next change. */
export type ReadSlice<Found> = { slice: Slice<Found>; id: string; guard: SliceGuard };
type SliceGuard = Guard | { op_type: "create" };

/** Another indexer has the slice, or another run of its work has begun. */
export class SliceMoved extends Error {
  override name = "SliceMoved";
}

export type SliceStore = ReturnType<typeof createSliceStore>;

/**
 * Plans and progress of sliced work, in Elasticsearch: a killed indexer and a Redis that lost its data forget nothing of them. Each
 * change is guarded by what was read before. A later run of the same work replaces the documents of the one before.
 */
export function createSliceStore(client: Client, names: IndexNames) {
  const index = names.control;
  const planId = (work: string) => `slices-${work}`;
  const sliceId = (work: string, n: number) => `slices-${work}-${n}`;

  const get = async <T>(id: string) => {
    const found = await retryForever(() => client.get<T>({ index, id }, { ignore: [404] }));
    if (!found.found || !found._source) return { guard: { op_type: "create" } as const };
    return {
      source: found._source,
      guard: { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! },
    };
  };

  /** The new guard; undefined when the document was changed since it was read. */
  const put = async (id: string, document: object, guard: SliceGuard): Promise<Guard | undefined> => {
    const done = await retryForever(() =>
      client.index({ index, id, document, ...guard }, { ignore: [409], meta: true }),
    );
    if (done.statusCode === 409) return undefined;
    return { if_seq_no: done.body._seq_no!, if_primary_term: done.body._primary_term! };
  };

  return {
    /** The plan of a run. `bounds` is called once, in whichever process. */
    async plan(work: string, run: string, bounds: () => Promise<string[]>): Promise<SlicePlan> {
      for (;;) {
        const { source, guard } = await get<SlicePlan>(planId(work));
        if (source?.run === run) return source;
        const plan = { run, bounds: await bounds() };
        if (await put(planId(work), plan, guard)) return plan;
      }
    },

    /** The plan of the latest run. */
    async latestPlan(work: string): Promise<SlicePlan | undefined> {
      return (await get<SlicePlan>(planId(work))).source;
    },

    async read<Found>(work: string, run: string, n: number, nothing: Found): Promise<ReadSlice<Found>> {
      const id = sliceId(work, n);
      const { source, guard } = await get<Slice<Found>>(id);
      const slice = source?.run === run ? source : { run, cursor: null, done: false, found: nothing };
      return { slice, id, guard };
    },

    /** The slices of a run that have begun, by number; undefined for the others. */
    async readAll<Found>(work: string, run: string, slices: number): Promise<(Slice<Found> | undefined)[]> {
      const ids = Array.from({ length: slices }, (_, n) => sliceId(work, n));
      const docs = await retryForever(async () => wholeDocuments(await client.mget<Slice<Found>>({ index, ids })));
      return docs.map(({ _source }) => (_source?.run === run ? _source : undefined));
    },

    async save<Found>(last: ReadSlice<Found>, change: Partial<Slice<Found>>): Promise<ReadSlice<Found>> {
      const slice = { ...last.slice, ...change };
      const guard = await put(last.id, slice, last.guard);
      if (!guard) throw new SliceMoved(`${last.id} of ${slice.run} was taken by another indexer or replaced`);
      return { slice, id: last.id, guard };
    },
  };
}

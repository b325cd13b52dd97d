import type { Client } from "@elastic/elasticsearch";
import type { Guard } from "../../engines/search/held-document.ts";
import { type IndexNames, READ_MODELS, type ReadModel } from "../../engines/search/index-names.ts";
import { retryForever } from "../../engines/search/retry-forever.ts";

/**
 * The states of a rebuild, in order. The state is one document in Elasticsearch with optimistic locking, so two workers cannot both
 * continue, and a later worker knows where to continue.
 */
export const REBUILD_STEPS = ["planned", "created", "copying", "verifying", "swapped", "retired"] as const;
type RebuildStep = (typeof REBUILD_STEPS)[number];
export type RebuildState = RebuildStep | "cancelled" | "failed";

export type Rebuild = {
  id: string;
  state: RebuildState;
  started_at: string;
  updated_at: string;
  /** The new index of each read model. */
  indices: Record<ReadModel, string>;
  /** Documents written so far, and how many there will be, about. */
  written: number;
  expected: number;
  /** Why it failed or was cancelled. */
  reason: string | null;
  /** Those of the program that planned it: an indexer of an earlier version leaves it to others. */
  versions: { schema: number; derivation: number };
  /** A ticket from before its copy, since it began. */
  since?: number;
  /** The replaced indices hold nothing to go back to, as after a restore: they are not kept for a rollback. */
  keeps_nothing?: boolean;
};

/** A rebuild as it was read, with what guards the next change of it. */
export type ReadRebuild = { rebuild: Rebuild; guard: Guard };

const ID = "rebuild";

export const isRunning = (rebuild: Rebuild): boolean =>
  !["swapped", "retired", "cancelled", "failed"].includes(rebuild.state);

/** The read models that a rebuild fills: one of an earlier version may lack some. */
export const modelsOf = ({ indices }: Rebuild): ReadModel[] => READ_MODELS.filter((model) => model in indices);

export class RebuildMoved extends Error {
  override name = "RebuildMoved";
}

export type RebuildStore = ReturnType<typeof createRebuildStore>;

export function createRebuildStore(client: Client, names: IndexNames, now: () => number = Date.now) {
  const index = names.control;
  const stamp = () => new Date(now()).toISOString();

  const read = async (): Promise<ReadRebuild | undefined> => {
    const found = await retryForever(() => client.get<Rebuild>({ index, id: ID }, { ignore: [404] }));
    if (!found.found || !found._source) return undefined;
    return { rebuild: found._source, guard: { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! } };
  };

  /** Writes the next version. Throws RebuildMoved when somebody else changed it since it was read. */
  const save = async (last: ReadRebuild, change: Partial<Rebuild>): Promise<ReadRebuild> => {
    const rebuild = { ...last.rebuild, ...change, updated_at: stamp() };
    const done = await retryForever(() =>
      client.index({ index, id: ID, document: rebuild, ...last.guard }, { ignore: [409], meta: true }),
    );
    if (done.statusCode === 409) throw new RebuildMoved(`rebuild ${rebuild.id} was taken over or cancelled`);
    return { rebuild, guard: { if_seq_no: done.body._seq_no!, if_primary_term: done.body._primary_term! } };
  };

  /** Plans a rebuild, unless one runs: then that one is returned, with `planned` false. */
  const plan = async (
    versions: Rebuild["versions"],
    { keepsNothing = false } = {},
  ): Promise<{ planned: boolean; rebuild: Rebuild }> => {
    for (;;) {
      const current = await read();
      if (current && isRunning(current.rebuild)) return { planned: false, rebuild: current.rebuild };
      const at = new Date(now());
      const indices = Object.fromEntries(READ_MODELS.map((model) => [model, names.generation(model, at)]));
      const rebuild: Rebuild = {
        id: at.toISOString().replace(/\D/g, ""),
        state: "planned",
        started_at: at.toISOString(),
        updated_at: at.toISOString(),
        indices: indices as Rebuild["indices"],
        written: 0,
        expected: 0,
        reason: null,
        versions,
        ...(keepsNothing && { keeps_nothing: true }),
      };
      const guard = current?.guard ?? { op_type: "create" as const };
      const done = await retryForever(() =>
        client.index({ index, id: ID, document: rebuild, ...guard }, { ignore: [409], meta: true }),
      );
      if (done.statusCode !== 409) return { planned: true, rebuild };
    }
  };

  return { read, save, plan };
}

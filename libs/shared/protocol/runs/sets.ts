import type { Client } from "@elastic/elasticsearch";
import { type Held, hold, type Holdable, isHolderDead, readHoldable } from "../../engines/search/held-document.ts";
import type { IndexNames } from "../../engines/search/index-names.ts";
import { retryForever } from "../../engines/search/retry-forever.ts";

/**
 * A set: records that always come whole, as a nightly dump. Stored in the control index. `reading`: a run reads it; `deleting`: an indexer
 * deletes what the run did not have.
 */
type SetState = Holdable & {
  kind: "ingest-set";
  name: string;
  phase: "idle" | "reading" | "deleting";
  /** The run that it is about, or the last one. */
  run: string | null;
};

export type Sets = ReturnType<typeof createSets>;

const idOf = (name: string) => `ingest-set-${name}`;

/** The job that deletes what a run of a set did not have. */
export const deleteMissingJobId = (run: string): string => `delete-missing-${run}`;

/** `isJobOpen`: whether a job of the upkeep queue with this id is still to be done. `now`: real time in ms. */
export function createSets(
  client: Client,
  names: Pick<IndexNames, "control">,
  isJobOpen: (id: string) => Promise<boolean>,
  now: () => number = Date.now,
) {
  const index = names.control;
  const read = (name: string) => retryForever(() => readHoldable<SetState>(client, index, idOf(name)));

  /** Whether a run of the set is under way. One whose process died, or whose job of deletions got lost, is not. */
  const isUnderWay = async (state: SetState): Promise<boolean> =>
    state.phase === "reading"
      ? !isHolderDead(state, now())
      : state.phase === "deleting" && state.run !== null && isJobOpen(deleteMissingJobId(state.run));

  return {
    /** The state of a set; undefined when nothing ever came. */
    state: async (name: string): Promise<SetState | undefined> => (await read(name))?.document,
    isUnderWay,
    /** Begins a run: by compare-and-set, so that of two at once one begins. Returns the run that is under way instead, if there is one. */
    async begin(name: string): Promise<{ held: Held<SetState> } | { underWay: string | null }> {
      for (;;) {
        const found = await read(name);
        if (found && (await isUnderWay(found.document))) return { underWay: found.document.run };
        const document = { kind: "ingest-set", id: idOf(name), name, phase: "reading", run: null } as const;
        const held = await retryForever(() => hold<SetState>(client, index, { document, guard: found?.guard, now }));
        if (held) return { held };
      }
    },
    /** Ends the deletions of a run, unless another one has begun. */
    async end(name: string, run: string): Promise<void> {
      const found = await read(name);
      if (found?.document.run !== run || found.document.phase !== "deleting") return;
      const document: SetState = { ...found.document, phase: "idle" };
      await retryForever(() =>
        client.index({ index, id: document.id, document, refresh: true, ...found.guard }, { ignore: [409] }),
      );
    },
  };
}

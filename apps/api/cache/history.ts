import type { Move, Step } from "@tranche/shared/generations/changes";
import type { Filter } from "@tranche/read-models/query/filters";
import { createMatches } from "@tranche/read-models/query/matches";

/** What could be seen at a time: a generation of a read model, and what this process knows of the time since. */
export type Generation = { readonly id: string; readonly number: number; readonly history: History };

/** What an answer was made of. A change that has nothing to do with it leaves the answer as it is. */
export type Watch = {
  /** The documents that were looked at are those for which these hold. */
  filters: readonly Filter[];
  /** The documents that the answer shows. */
  ids: readonly string[];
  /** The field that they are ordered by, where their order matters. */
  order?: string;
};

/** A change of what can be seen, where it is known. */
type Known = {
  redrawn: ReadonlySet<string>;
  moved: readonly Move[];
  /** What was seen before this time, by performance.now(), was seen without the change. */
  unseenUntil: number;
};

/** So much is kept of what changed: looking through all of it is cheaper than a search. */
const MAX_STEPS = 100;
const MAX_MOVES = 5000;

/** The generations of a read model, one after another, and what changed between them. */
export class History {
  /** How the generations `#last.number - #steps.length + 1` to `#last.number` came from those before them; undefined: nobody knows. */
  readonly #steps: (Known | undefined)[] = [];
  #moves = 0;
  #last: Generation | undefined;
  /** When it was last seen that no more writings than these had begun. */
  readonly #begun: { begun: number; at: number }[] = [];

  get last(): Generation | undefined {
    return this.#last;
  }

  /** At this time, by performance.now(), so many writings had begun, or fewer. */
  noteBegun(begun: number, at: number): void {
    const last = this.#begun.at(-1);
    if (last?.begun === begun) last.at = at;
    else if (this.#begun.push({ begun, at }) > MAX_STEPS) this.#begun.shift();
  }

  /** Goes on to another generation. Without `step` anything may be different from then on. */
  add(id: string, step: Step | undefined): Generation {
    this.#steps.push(
      step && {
        redrawn: new Set(step.redrawn),
        moved: step.moved,
        unseenUntil: this.#begun.findLast(({ begun }) => begun < (step.begun ?? 0))?.at ?? -Infinity,
      },
    );
    this.#moves += step?.moved.length ?? 0;
    while (this.#steps.length > MAX_STEPS || this.#moves > MAX_MOVES) {
      this.#moves -= this.#steps.shift()?.moved.length ?? 0;
    }
    return (this.#last = { id, number: (this.#last?.number ?? 0) + 1, history: this });
  }

  /** Whether what was made in a generation is what would be made in the last one. */
  keeps(made: Generation, watch: Watch): boolean {
    const touches = createTouches(watch);
    return this.#since(made)?.every((step) => !touches(step)) ?? false;
  }

  /**
   * How many more documents there are for which the filters hold than when they were counted, in a generation and before a time
   * by performance.now(); undefined where the count may have some of the changes in it already.
   */
  gained(made: Generation, countedBy: number, filters: readonly Filter[]): number | undefined {
    const steps = this.#since(made);
    if (!steps) return undefined;
    const beforeAndAfter = createBeforeAndAfter(filters);
    let gained = 0;
    for (const { moved, unseenUntil } of steps) {
      for (const move of moved) {
        const [held, hold] = beforeAndAfter(move);
        if (held === hold) continue;
        if (countedBy >= unseenUntil) return undefined;
        gained += hold ? 1 : -1;
      }
    }
    return gained;
  }

  /** What changed since a generation; undefined when that is not known. */
  #since(made: Generation): Known[] | undefined {
    const since = this.#last!.number - made.number;
    if (since > this.#steps.length) return undefined;
    const steps = this.#steps.slice(this.#steps.length - since);
    return steps.every((step) => step !== undefined) ? steps : undefined;
  }
}

/** Whether all filters hold for what a document was, and for what it is. */
function createBeforeAndAfter(filters: readonly Filter[]): (move: Move) => [boolean, boolean] {
  const holds = createMatches(filters);
  return ({ was, is }) => [was !== undefined && holds(was), is !== undefined && holds(is)];
}

function createTouches({ filters, ids, order }: Watch): (step: Known) => boolean {
  const beforeAndAfter = createBeforeAndAfter(filters);
  const touching = (move: Move) => {
    const [held, hold] = beforeAndAfter(move);
    if (!held || !hold) return held !== hold;
    const { id, was, is } = move;
    // It stays among those that were looked at: what matters is whether it is shown, or moves past what is.
    return ids.includes(id) || (order !== undefined && was![order] !== is![order]);
  };
  return ({ redrawn, moved }) => ids.some((id) => redrawn.has(id)) || moved.some(touching);
}

import type { Changes, Move } from "@tranche/shared/generations/changes";
import type { Filter } from "../query/filters.ts";
import { createHolds } from "./holds.ts";

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

/** A change of what can be seen; undefined where it is not known what it was. */
type Step = { redrawn: ReadonlySet<string>; moved: readonly Move[] } | undefined;

/** So much is kept of what changed: looking through all of it is cheaper than a search. */
const MAX_STEPS = 100;
const MAX_MOVES = 5000;

/** The generations of a read model, one after another, and what changed between them. */
export class History {
  /** How the generations `#last.number - #steps.length + 1` to `#last.number` came from those before them. */
  readonly #steps: Step[] = [];
  #moves = 0;
  #last: Generation | undefined;

  get last(): Generation | undefined {
    return this.#last;
  }

  /** Goes on to another generation. Without `changes` anything may be different from then on. */
  add(id: string, changes: Changes | undefined): Generation {
    this.#steps.push(changes && { redrawn: new Set(changes.redrawn), moved: changes.moved });
    this.#moves += changes?.moved.length ?? 0;
    while (this.#steps.length > MAX_STEPS || this.#moves > MAX_MOVES) {
      this.#moves -= this.#steps.shift()?.moved.length ?? 0;
    }
    return (this.#last = { id, number: (this.#last?.number ?? 0) + 1, history: this });
  }

  /** Whether what was made in a generation is what would be made in the last one. */
  keeps(made: Generation, watch: Watch): boolean {
    const since = this.#last!.number - made.number;
    if (since > this.#steps.length) return false;
    const touches = createTouches(watch);
    return this.#steps.slice(this.#steps.length - since).every((step) => step && !touches(step));
  }
}

function createTouches({ filters, ids, order }: Watch): (step: NonNullable<Step>) => boolean {
  const holds = createHolds(filters);
  const touching = ({ id, was, is }: Move) => {
    const [held, hold] = [was !== undefined && holds(was), is !== undefined && holds(is)];
    if (!held || !hold) return held !== hold;
    // It stays among those that were looked at: what matters is whether it is shown, or moves past what is.
    return ids.includes(id) || (order !== undefined && was![order] !== is![order]);
  };
  return ({ redrawn, moved }) => ids.some((id) => redrawn.has(id)) || moved.some(touching);
}

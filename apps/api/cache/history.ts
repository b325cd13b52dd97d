import type { Changes, State } from "@tranche/shared/generations/changes";
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
};

/** A change of what can be seen; undefined where it is not known what it was. */
type Step = { redrawn: ReadonlySet<string>; states: readonly State[] } | undefined;

/** So much is kept of what changed: looking through all of it is cheaper than a search. */
const MAX_STEPS = 100;
const MAX_STATES = 5000;

/** The generations of a read model, one after another, and what changed between them. */
export class History {
  /** How the generations `#last.number - #steps.length + 1` to `#last.number` came from those before them. */
  readonly #steps: Step[] = [];
  #states = 0;
  #last: Generation | undefined;

  get last(): Generation | undefined {
    return this.#last;
  }

  /** Goes on to another generation. Without `changes` anything may be different from then on. */
  add(id: string, changes: Changes | undefined): Generation {
    this.#steps.push(changes && { redrawn: new Set(changes.redrawn), states: changes.states });
    this.#states += changes?.states.length ?? 0;
    while (this.#steps.length > MAX_STEPS || this.#states > MAX_STATES) {
      this.#states -= this.#steps.shift()?.states.length ?? 0;
    }
    return (this.#last = { id, number: (this.#last?.number ?? 0) + 1, history: this });
  }

  /** Whether what was made in a generation is what would be made in the last one. */
  keeps(made: Generation, { filters, ids }: Watch): boolean {
    const since = this.#last!.number - made.number;
    if (since > this.#steps.length) return false;
    const holds = createHolds(filters);
    return this.#steps
      .slice(this.#steps.length - since)
      .every((step) => step && !ids.some((id) => step.redrawn.has(id)) && !step.states.some(holds));
  }
}

import type { Move, Step } from "@tranche/shared/protocol/generations/changes";
import type { Filter } from "@tranche/read-models/query/filters";
import { createMatches } from "@tranche/read-models/query/matches";
import type { Dependencies, Generation, KnownChanges } from "../serve/generation.ts";

/** A known change of the visible documents. */
type Change = {
  redrawn: ReadonlySet<string>;
  moved: readonly Move[];
  /** A search before this time, by performance.now(), cannot have seen the change. */
  unseenUntil: number;
};

/** Up to here, checking all changes is cheaper than a search. */
const MAX_STEPS = 100;
const MAX_MOVES = 5000;

/** The last generations of a read model, in order, and what changed between them. */
export class ChangeLog implements KnownChanges {
  /** The changes that led to the generations `#last.number - #steps.length + 1` to `#last.number`; undefined: not known. */
  readonly #steps: (Change | undefined)[] = [];
  #moves = 0;
  #last: Generation | undefined;
  /** The last time at which at most `begun` writes had begun. */
  readonly #begun: { begun: number; at: number }[] = [];
  /** The last state of its indices that Elasticsearch reported, and from when until when. */
  #state: { text: string; since: number; until: number } | undefined;

  get last(): Generation | undefined {
    return this.#last;
  }

  /** Notes that at this time, by performance.now(), at most `begun` writes had begun. */
  noteBegun(begun: number, at: number): void {
    const last = this.#begun.at(-1);
    if (last?.begun === begun) last.at = at;
    else if (this.#begun.push({ begun, at }) > MAX_STEPS) this.#begun.shift();
  }

  /** Notes a state of the indices that differs as soon as anything else becomes visible. Times by performance.now(). */
  noteState(text: string, { askedAt, answeredAt }: { askedAt: number; answeredAt: number }): void {
    if (this.#state?.text === text) this.#state.until = Math.max(this.#state.until, askedAt);
    else this.#state = { text, since: answeredAt, until: askedAt };
  }

  unchangedUntil(at: number): number {
    return this.#state && this.#state.since <= at ? Math.max(this.#state.until, at) : at;
  }

  /** Adds a generation. Without `step`, anything may have changed. */
  add(id: string, step: Step | undefined): Generation {
    this.#steps.push(
      step && {
        redrawn: new Set(step.redrawn),
        moved: step.moved,
        unseenUntil: this.#begun.findLast(({ begun }) => begun < step.begun)?.at ?? -Infinity,
      },
    );
    this.#moves += step?.moved.length ?? 0;
    while (this.#steps.length > MAX_STEPS || this.#moves > MAX_MOVES) {
      this.#moves -= this.#steps.shift()?.moved.length ?? 0;
    }
    return (this.#last = { id, number: (this.#last?.number ?? 0) + 1, log: this });
  }

  isStillValid(computedIn: Generation, dependencies: Dependencies): boolean {
    const invalidates = createInvalidates(dependencies);
    return this.#since(computedIn)?.every((change) => !invalidates(change)) ?? false;
  }

  gained(countedIn: Generation, countedBy: number, filters: readonly Filter[]): number | undefined {
    const changes = this.#since(countedIn);
    if (!changes) return undefined;
    const matchBeforeAndAfter = createBeforeAndAfter(filters);
    let gained = 0;
    for (const { moved, unseenUntil } of changes) {
      for (const move of moved) {
        const [before, after] = matchBeforeAndAfter(move);
        if (before === after) continue;
        if (countedBy >= unseenUntil) return undefined;
        gained += after ? 1 : -1;
      }
    }
    return gained;
  }

  /** The changes since a generation; undefined when they are not known. */
  #since(generation: Generation): Change[] | undefined {
    const since = this.#last!.number - generation.number;
    if (since > this.#steps.length) return undefined;
    const steps = this.#steps.slice(this.#steps.length - since);
    return steps.every((step) => step !== undefined) ? steps : undefined;
  }
}

/** Whether a document matches all filters before a change, and after it. */
function createBeforeAndAfter(filters: readonly Filter[]): (move: Move) => [boolean, boolean] {
  const matches = createMatches(filters);
  return ({ was, is }) => [was !== undefined && matches(was), is !== undefined && matches(is)];
}

function createInvalidates({ filters, ids, order, all }: Dependencies): (change: Change) => boolean {
  const matchBeforeAndAfter = createBeforeAndAfter(filters);
  const affects = (move: Move) => {
    const [before, after] = matchBeforeAndAfter(move);
    if (!before || !after) return before !== after;
    const { id, was, is } = move;
    if (all === true) return true;
    if (all) return all.some((field) => JSON.stringify(was![field]) !== JSON.stringify(is![field]));
    // The document stays in the list: it matters only if it is shown, or if it takes another place in the order.
    return ids.includes(id) || (order !== undefined && was![order] !== is![order]);
  };
  const shows = (redrawn: ReadonlySet<string>) => (all === true ? redrawn.size > 0 : ids.some((id) => redrawn.has(id)));
  return ({ redrawn, moved }) => shows(redrawn) || moved.some(affects);
}

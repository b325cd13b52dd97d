import { type Group, NOTHING, type Rest, type Tally } from "./group.ts";

/** The first groups in an order. It holds at most the shown groups and one page of others. */
export class Ranking<Details> {
  readonly #compare: (a: Group<Details>, b: Group<Details>) => number;
  readonly #limit: number;
  #first: readonly Group<Details>[] = [];
  #rest: Rest = { groups: 0, ...NOTHING };

  constructor(compare: (a: Group<Details>, b: Group<Details>) => number, limit: number) {
    this.#compare = compare;
    this.#limit = limit;
  }

  /** Adds groups that were not added before. */
  add(groups: readonly Group<Details>[]): void {
    const sorted = [...this.#first, ...groups].sort(this.#compare);
    this.#first = sorted.slice(0, this.#limit);
    const left = sorted.slice(this.#limit);
    this.#rest = { groups: this.#rest.groups + left.length, ...left.reduce<Tally>(plus, this.#rest) };
  }

  /** The first groups, in order. */
  get first(): readonly Group<Details>[] {
    return this.#first;
  }

  /** All others. */
  get rest(): Rest {
    return this.#rest;
  }

  /** How many groups were added. */
  get size(): number {
    return this.#first.length + this.#rest.groups;
  }
}

const plus = (a: Tally, b: Tally): Tally => ({
  count: a.count + b.count,
  disclosed: a.disclosed + b.disclosed,
  cents: a.cents + b.cents,
});

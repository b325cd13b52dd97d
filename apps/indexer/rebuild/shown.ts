import type { Derived } from "../write/outgoing.ts";

/** Documents that no list shows are not copied. */
export function* shown(documents: Iterable<Derived>): Generator<Derived> {
  for (const derived of documents) if (!("gone" in derived.document)) yield derived;
}

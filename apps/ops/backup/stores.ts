import { CLAIM_KIND } from "@tranche/intake/http/claims";
import { HORIZONS_KIND } from "@tranche/shared/protocol/feed/horizons-of-day";
import { RECORD_TYPES } from "@tranche/shared/domain/records/record";
import { type IndexNames, indexNames } from "@tranche/shared/engines/search/index-names";
import { storeNames } from "@tranche/shared/engines/search/store-indices";

/** A store of an installation: an index that can't be derived from others, under a name without the namespace. */
export type Store = { name: string; index: string };

/**
 * Written before all others, in this order: a record whose edges, stakes, snapshots or merges are missing would be purged or derived
 * wrongly if somebody changed it after an interrupted restore.
 */
const FIRST = ["edges", "stakes", "records-snapshot", "records-merge"];

/** All stores, in the order in which a restore writes them. */
export function storesOf(names: IndexNames): Store[] {
  const prefix = names.control.slice(0, -"control".length);
  const all = storeNames(names).map((index) => ({
    name: index.slice(prefix.length),
    index,
  }));
  const place = ({ name }: Store) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return all.toSorted((a, b) => place(a) - place(b));
}

/** The stores that this version can restore; their names do not depend on the namespace. */
export const KNOWN_STORES: ReadonlySet<string> = new Set(storesOf(indexNames("any")).map(({ name }) => name));

/** Documents that describe these engines, or are over within minutes: of no use in another place, or even wrong there. */
const LEFT_OUT: Readonly<Record<string, (document: Document) => boolean>> = {
  // Members sign in again, and connect their applications again: refresh tokens that were replaced since would work once more.
  accounts: ({ kind }) => kind === "session" || kind === "oauth",
  dashboard: ({ kind }) => ["link", "invitation", "code", "grant"].includes(kind ?? ""),
  // The ceiling of the clock is in the end of the backup; the rest is about the read models: a rebuild in progress, the day of
  // derivation, and the state and horizons of the feed.
  control: ({ kind }) =>
    kind === undefined || ["clock-day", "feed", HORIZONS_KIND, RESTORE_KIND, CLAIM_KIND].includes(kind),
};

type Document = { kind?: string };

/** The kind of the document that notes a restore. */
export const RESTORE_KIND = "restore";

/** Whether a document of a store belongs in a logical backup. */
export const isKept = (store: string, document: object): boolean => !LEFT_OUT[store]?.(document);

/** Names of the stores of records, as people count them. */
export const RECORD_STORES: readonly string[] = RECORD_TYPES.map((type) => `records-${type}`);

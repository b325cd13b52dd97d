/**
 * The versions of what an index holds. `schema`: of the mappings. `derivation`: of the rules by which documents are derived from
 * records (score, signals, technologies, …). An index notes both when it is created.
 */
export type Versions = { schema: number; derivation: number };

/** `_meta` of an index's mapping: its versions, later ones that wrote to it, and fields that it got later than some documents. */
export type IndexNotes = Versions & { also?: Versions; incomplete?: string[] };

/**
 * Raised when a mapping changes. Fields are only added: one that is needed with another type gets another name, because versions before
 * and after an upgrade write to the same indices. The test beside this file fails when it has to be raised.
 */
export const READ_MODEL_SCHEMA = 9;

/** Indices that were created with this schema or a later one hold the tickets of every change, so they have a feed. */
export const FEED_SCHEMA = 8;

/** Raised when the same records give other documents than before. The test beside this file fails when it has to be checked. */
export const DERIVATION = 4;

export const OWN_VERSIONS: Versions = { schema: READ_MODEL_SCHEMA, derivation: DERIVATION };

/** Indices from before derivations had a version were derived by the rules of the first one. */
const FIRST_DERIVATION = 1;

/** Reads versions from `_meta` of a mapping, or from what else notes them; those that are missing are from before they were noted. */
export function versionsIn(noted: unknown): Versions {
  const { schema, derivation } = Object(noted) as Record<string, unknown>;
  return { schema: Number(schema) || 0, derivation: Number(derivation) || FIRST_DERIVATION };
}

/** Whether something has a part that `own` does not know. */
export const isNewer = (versions: Versions, own: Versions): boolean =>
  versions.schema > own.schema || versions.derivation > own.derivation;

/** Whether something lacks a part that `own` has. */
export const isOlder = (versions: Versions, own: Versions): boolean =>
  versions.schema < own.schema || versions.derivation < own.derivation;

export const shownVersions = ({ schema, derivation }: Versions): string => `schema ${schema}, derivation ${derivation}`;

/**
 * The versions of what an index holds. `schema`: of the mappings. `derivation`: of the rules by which documents are derived from
 * records (score, signals, technologies, …). An index notes both when it is created.
 */
export type Versions = { schema: number; derivation: number };

/** `_meta` of an index's mapping: its versions, later ones that wrote to it, and fields that it got later than some documents. */
export type IndexMeta = Versions & { also?: Versions; incomplete?: string[] };

/**
 * Raised when a mapping changes. Fields are only added: one that is needed with another type gets another name, because versions before
 * and after an upgrade write to the same indices. The test beside this file fails when it has to be raised.
 */
export const READ_MODEL_SCHEMA = 2;

/** Raised when the same records give other documents than before. The test beside this file fails when it has to be checked. */
export const DERIVATION = 1;

export const OWN_VERSIONS: Versions = { schema: READ_MODEL_SCHEMA, derivation: DERIVATION };

/** Reads versions from `_meta` of a mapping. One that is not there is 0, which is older than any. */
export function versionsIn(meta: unknown): Versions {
  const { schema, derivation } = Object(meta) as Record<string, unknown>;
  return { schema: Number(schema) || 0, derivation: Number(derivation) || 0 };
}

/** Whether something has a part that `own` does not know. */
export const isNewer = (versions: Versions, own: Versions): boolean =>
  versions.schema > own.schema || versions.derivation > own.derivation;

/** Whether something lacks a part that `own` has. */
export const isOlder = (versions: Versions, own: Versions): boolean =>
  versions.schema < own.schema || versions.derivation < own.derivation;

export const shownVersions = ({ schema, derivation }: Versions): string => `schema ${schema}, derivation ${derivation}`;

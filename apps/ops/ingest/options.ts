import type { Format } from "@tranche/intake/sources/formats";

/** Options of `ops ingest`. */
export type IngestOptions = {
  format?: Format;
  map?: string;
  suggestMap?: boolean;
  /** `id=answer` for questions of a suggestion. */
  answer?: string[];
  rejects?: string;
  strict?: boolean;
  onlyNew?: boolean;
  dryRun?: boolean;
  wait?: boolean;
  set?: string;
  /** A share, 0 to 1. */
  allowDeletes?: number;
};

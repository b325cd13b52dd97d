/** The formats of replies. */
export const MEDIA_TYPES = Object.freeze({
  json: "application/json",
  csv: "text/csv",
  ndjson: "application/x-ndjson",
});
export type Format = keyof typeof MEDIA_TYPES;

/** Formats of the lists, the default first, and of everything else. */
export const LIST_FORMATS: readonly Format[] = ["json", "csv", "ndjson"];
/** Formats of exports: rows that can be read one by one. */
export const EXPORT_FORMATS: readonly Format[] = ["ndjson", "csv"];
export const JSON_ONLY: readonly Format[] = ["json"];

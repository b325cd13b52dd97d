/** The formats of replies. */
export const MEDIA_TYPES = Object.freeze({
  json: "application/json",
  csv: "text/csv",
  ndjson: "application/x-ndjson",
});
export type Format = keyof typeof MEDIA_TYPES;

/** Formats of the lists, the default first, and of everything else. */
export const LIST_FORMATS: readonly Format[] = ["json", "csv", "ndjson"];
export const JSON_ONLY: readonly Format[] = ["json"];

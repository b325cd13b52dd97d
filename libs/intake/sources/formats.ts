/** Formats of input files. */
export const FORMATS = ["ndjson", "json", "csv"] as const;
export type Format = (typeof FORMATS)[number];

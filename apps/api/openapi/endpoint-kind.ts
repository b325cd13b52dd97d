import type { Endpoint } from "../endpoints/endpoint.ts";

/** Exports have no JSON body and no ETag. */
export const isExport = ({ formats }: Endpoint): boolean => !formats.includes("json");

/** Feeds of changes continue from a position. */
export const isFeed = ({ parameters }: Endpoint): boolean => "since" in parameters;

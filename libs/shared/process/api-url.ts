import type { Settings } from "./settings.ts";

/**
 * Address of the API for people and their programs: the one that callers reach, or else the one at which the other processes do. Never
 * taken from a request, whose Host anybody can choose.
 */
export const apiUrl = (settings: Pick<Settings, "TRANCHE_PUBLIC_URL" | "TRANCHE_API_URL">): string =>
  settings.TRANCHE_PUBLIC_URL ?? settings.TRANCHE_API_URL;

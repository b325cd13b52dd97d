import type { Settings } from "./settings.ts";

/**
 * The path of TRANCHE_PUBLIC_URL, with which every link of an answer begins: `/tranche`, or nothing. A proxy takes it off before the
 * request gets here.
 */
export function publicPath({ TRANCHE_PUBLIC_URL: url }: Pick<Settings, "TRANCHE_PUBLIC_URL">): string {
  return url === undefined ? "" : new URL(url).pathname.replace(/\/$/, "");
}

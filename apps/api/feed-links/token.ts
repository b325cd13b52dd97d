import { handleOfFeedToken, hashOfKey } from "@tranche/shared/accounts/api-key";
import type { Credentials } from "../admission/credentials.ts";
import { unauthorized } from "../errors/api-error.ts";

const FEED_FORMATS = ["atom", "json"] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** The token and format of `/feeds/<file>`. The token's checksum is right; whether it works is not known yet. Throws `unauthorized`. */
export function readFeedFile(file: string): { format: FeedFormat; credentials: Credentials } {
  const dot = file.lastIndexOf(".");
  const token = file.slice(0, Math.max(dot, 0));
  const format = FEED_FORMATS.find((one) => one === file.slice(dot + 1));
  const handle = handleOfFeedToken(token);
  if (format === undefined || handle === undefined) throw unauthorized("This is not a feed link.");
  return { format, credentials: { handle, hash: hashOfKey(token) } };
}

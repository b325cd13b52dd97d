import { parseDictionary, type Token } from "structured-headers";

/** A longer header takes milliseconds to parse, also for callers who are refused. Real ones have some dozen characters. */
const MAX_LENGTH = 1024;

/** The value of `Prefer: handling=…` (RFC 7240); undefined when it is absent, unknown or too long. */
export function handlingPreference(header: string | undefined): "strict" | "lenient" | undefined {
  if (!header || header.length > MAX_LENGTH) return undefined;
  try {
    const value = parseDictionary(header.toLowerCase()).get("handling")?.[0] as Token | string | undefined;
    const handling = value?.toString();
    return handling === "strict" || handling === "lenient" ? handling : undefined;
  } catch {
    // RFC 7240, section 2: a malformed preference is ignored.
    return undefined;
  }
}

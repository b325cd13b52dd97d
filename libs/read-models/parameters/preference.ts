import { parseDictionary, type Token } from "structured-headers";

/** The value of `Prefer: handling=…` (RFC 7240); undefined when it is absent or unknown. */
export function handlingPreference(header: string | undefined): "strict" | "lenient" | undefined {
  if (!header) return undefined;
  try {
    const value = parseDictionary(header.toLowerCase()).get("handling")?.[0] as Token | string | undefined;
    const handling = value?.toString();
    return handling === "strict" || handling === "lenient" ? handling : undefined;
  } catch {
    // RFC 7240, section 2: a malformed preference is ignored.
    return undefined;
  }
}

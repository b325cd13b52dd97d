import { parseDictionary, type Token } from "structured-headers";

/** What `Prefer: handling=…` asks for (RFC 7240); undefined when it asks for nothing that is known here. */
export function handlingPreference(header: string | undefined): "strict" | "lenient" | undefined {
  if (!header) return undefined;
  try {
    const value = parseDictionary(header.toLowerCase()).get("handling")?.[0] as Token | string | undefined;
    const handling = value?.toString();
    return handling === "strict" || handling === "lenient" ? handling : undefined;
  } catch {
    // A preference that can't be understood is no reason to refuse: RFC 7240, section 2.
    return undefined;
  }
}

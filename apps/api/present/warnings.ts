import type { Warning } from "@tranche/read-models/parameters/warning";

/** Headers longer than this are refused by some clients and proxies. */
const MAX_HEADER = 4096;

/** Warnings as a header: JSON in ASCII, cut after as many as fit. */
export function warningsHeader(warnings: readonly Warning[]): string {
  const shown = [...warnings];
  for (;;) {
    const left = warnings.length - shown.length;
    const more: Warning[] =
      left > 0 ? [{ code: "more_warnings", message: `${left} more, not shown here.`, parameter: "" }] : [];
    const text = asciiJson([...shown, ...more]);
    if (text.length <= MAX_HEADER || shown.length === 0) return text;
    shown.pop();
  }
}

const asciiJson = (value: unknown) =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

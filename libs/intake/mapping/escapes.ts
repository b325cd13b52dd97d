/**
 * Decodes escape sequences that a careless export wrote as text: `\xc2\xa0` (with one or more backslashes) is a no-break space,
 * `\n` and `\t` are spaces. Bytes that are not UTF-8 stay as they are.
 */
export function decodeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text
    .replace(/(?:(?<!\\)\\+x[0-9a-f]{2})+/gi, (run) => {
      const bytes = Buffer.from([...run.matchAll(/x([0-9a-f]{2})/gi)].map((match) => Number.parseInt(match[1]!, 16)));
      const decoded = bytes.toString("utf8");
      return decoded.includes("\ufffd") ? run : decoded;
    })
    .replace(/(?<!\\)\\+[nrt]/g, " ");
}

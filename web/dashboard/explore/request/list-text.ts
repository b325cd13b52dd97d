/** An item of a list parameter. */
export type ListItem = { text: string; excluded: boolean };

/** Items as the API reads them: separated by commas, excluded ones after a `!`, and in double quotes where they would be read otherwise. */
export const writeList = (items: readonly ListItem[]): string => items.map(writeItem).join(",");

export function writeItem({ text, excluded }: ListItem): string {
  const plain = /^[!-]|[,"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return excluded ? `!${plain}` : plain;
}

/** Reads a list back. It is lenient: the API refuses malformed items, and here they have to be shown so that they can be corrected. */
export function readList(text: string): ListItem[] {
  const items: ListItem[] = [];
  for (let at = 0; at <= text.length; at++) {
    const begin = afterBlanks(text, at);
    const excluded = text[begin] === "!";
    const first = excluded ? afterBlanks(text, begin + 1) : begin;
    const quoted = text[first] === '"' ? quotedAt(text, first) : undefined;
    const end = quoted?.end ?? endOfItem(text, first);
    const content = (quoted?.content ?? text.slice(first, end)).trim();
    if (content !== "") items.push({ text: content, excluded });
    at = end;
  }
  return items;
}

/** The item in quotes that begins at `first`; undefined when its quote is not closed or text follows it. */
function quotedAt(text: string, first: number): { content: string; end: number } | undefined {
  let close = text.indexOf('"', first + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) return undefined;
  const end = endOfItem(text, close + 1);
  if (text.slice(close + 1, end).trim() !== "") return undefined;
  return { content: text.slice(first + 1, close).replaceAll('""', '"'), end };
}

function endOfItem(text: string, from: number): number {
  const comma = text.indexOf(",", from);
  return comma < 0 ? text.length : comma;
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at]!.trim() === "") at++;
  return at;
}

/** Text that is HTML already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

type Piece = Html | string | number | false | null | undefined | readonly Piece[];

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text escaped for HTML, in content and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** A template of HTML: values are escaped, unless they are HTML themselves. False, null and undefined give nothing. */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Html {
  return new Html(strings.reduce((text, string, n) => text + shown(values[n - 1]) + string));
}

function shown(value: Piece): string {
  if (value === false || value === null || value === undefined) return "";
  if (Array.isArray(value)) return (value as Piece[]).map(shown).join("");
  return value instanceof Html ? value.text : escapeHtml(String(value));
}

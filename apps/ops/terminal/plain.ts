/** Control characters, line separators, and what turns the direction of text. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
const COLOUR = /\p{Cc}\[[\d;]*m/gu;
const UNSAFE_OR_COLOUR = new RegExp(`${COLOUR.source}|${UNSAFE.source}`, "gu");

const escaped = (character: string) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;

/**
 * Text that is safe to print on a terminal: control characters are written as `\u001b`. Line ends, tabs and `colours` (escape
 * sequences of the command itself) stay.
 */
export function plain(text: string, colours: ReadonlySet<string> = new Set()): string {
  return text.replaceAll(UNSAFE_OR_COLOUR, (found) =>
    found === "\n" || found === "\t" || colours.has(found) ? found : found.replaceAll(UNSAFE, escaped),
  );
}

/** As `plain`, for text that must not begin a new line. */
export const plainLine = (text: string): string => text.replaceAll(UNSAFE, escaped);

/** JSON of the same value that can do nothing to a terminal. */
export const plainJson = (value: unknown): string => plainLine(JSON.stringify(value));

/** The escape sequences of a text that the command itself has coloured. */
export const coloursOf = (painted: string): string[] => painted.match(COLOUR) ?? [];

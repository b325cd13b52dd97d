import type { Problem } from "../errors/catalogue.ts";

/**
 * Stands in decoded text where the query string had a raw `+`: a blank to everyone, but lists must tell `C++` that was
 * not escaped from a blank. Control characters are refused before, so it can't come from anywhere else.
 */
export const RAW_PLUS = "\0";

/** Parameters in the order in which they came. Values are decoded, raw `+` as RAW_PLUS. */
export type QueryString = { values: Map<string, string>; problems: Problem[] };

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Takes a raw query string (without `?`) apart. Nothing is guessed: a repeated parameter, an empty name or value, a bad
 * escape, invalid UTF-8 and control characters are problems. `&&` is ignored.
 * The text is what Node gives as `request.url`: one character for each byte.
 */
export function parseQueryString(raw: string): QueryString {
  const values = new Map<string, string>();
  const problems = new Map<string, Problem>();
  for (const pair of raw.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const rawName = equals < 0 ? pair : pair.slice(0, equals);
    const rawValue = equals < 0 ? "" : pair.slice(equals + 1);
    const name = decode(rawName);
    const parameter = shortened(name.text?.replaceAll(RAW_PLUS, " ") ?? rawName);
    const refuse = (code: Problem["code"], message: string, value?: string) =>
      problems.set(parameter, { parameter, code, message, value });

    if (name.text === undefined) refuse("malformed_value", `The name of this parameter ${name.reason}.`);
    else if (name.text === "") refuse("unknown_parameter", "A value has no parameter name before its '='.");
    else if (values.has(parameter) || problems.has(parameter)) {
      refuse("repeated_parameter", "Given more than once. Write several values as one comma-separated list.");
    } else {
      const value = decode(rawValue);
      if (value.text === undefined) refuse("malformed_value", `The value ${value.reason}.`, shortened(rawValue));
      else if (value.text === "") refuse("malformed_value", "The value is empty. Leave the parameter out instead.", "");
      else values.set(parameter, value.text);
    }
  }
  for (const parameter of problems.keys()) values.delete(parameter);
  return { values, problems: [...problems.values()] };
}

type Decoded = { text: string; reason?: undefined } | { text: undefined; reason: string };

function decode(raw: string): Decoded {
  if (/%(?![0-9a-fA-F]{2})/.test(raw)) {
    return { text: undefined, reason: "has a '%' that two hexadecimal digits do not follow" };
  }
  try {
    const pieces = raw.split("+").map(decodePiece);
    if (pieces.some((piece) => /\p{Cc}/u.test(piece))) return { text: undefined, reason: "has a control character" };
    return { text: pieces.join(RAW_PLUS) };
  } catch {
    return { text: undefined, reason: "is not valid UTF-8" };
  }
}

/** Nothing is escaped: ASCII that can be seen, without the percent sign. */
const PLAIN = /^[!-$&-~]*$/;

function decodePiece(raw: string): string {
  if (PLAIN.test(raw)) return raw;
  const bytes = raw.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return UTF8.decode(Buffer.from(bytes, "latin1"));
}

/** At most 100 characters of a text: enough to recognise it by. */
export function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length > 100 ? `${characters.slice(0, 99).join("")}…` : text;
}

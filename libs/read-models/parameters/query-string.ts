import type { Problem } from "./problem.ts";

/**
 * Replaces a raw `+` in decoded text. A raw `+` means a blank, but lists have to recognise a `C++` that was not escaped. Control
 * characters are refused, so the character has no other source.
 */
export const RAW_PLUS = "\0";

/** Stands between the values of a repeated list. Control characters are refused, so the character has no other source. */
export const REPEATED = "\u{1}";

/** Parameters in the order in which they came. Values are decoded, raw `+` as RAW_PLUS, repeated ones joined by REPEATED. */
type QueryString = { values: Map<string, string>; problems: Problem[] };

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses a raw query string (without `?`). It guesses nothing: a repeated parameter, unless it is `repeatable`, an empty name or value,
 * a bad escape, invalid UTF-8 and control characters are problems. `&&` is ignored.
 * The text comes from `request.url` of Node: one character per byte.
 */
export function parseQueryString(raw: string, repeatable: (parameter: string) => boolean = () => false): QueryString {
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

    if (name.text === undefined) refuse("malformed_value", `The name of the parameter ${parameter} ${name.reason}.`);
    else if (name.text === "") refuse("unknown_parameter", "A value has no parameter name before its '='.");
    else if ((values.has(parameter) || problems.has(parameter)) && !repeatable(parameter)) {
      refuse("repeated_parameter", `${parameter} is given more than once. Give it once; only lists may be repeated.`);
    } else {
      const value = decode(rawValue);
      if (value.text === undefined)
        refuse("malformed_value", `The value of ${parameter} ${value.reason}.`, shortened(rawValue));
      else if (value.text === "")
        refuse("malformed_value", `The value of ${parameter} is empty. Leave the parameter out instead.`, "");
      else {
        const before = values.get(parameter);
        values.set(parameter, before === undefined ? value.text : before + REPEATED + value.text);
      }
    }
  }
  for (const parameter of problems.keys()) values.delete(parameter);
  return { values, problems: [...problems.values()] };
}

/** Reads a part of a path: its text, or its problems. In a path, a plus is a plus. */
export function readPathPart(parameter: string, raw: string): { text: string; problems: Problem[] } {
  const { text, reason } = decode(raw.replaceAll("+", "%2B"));
  if (text !== undefined) return { text, problems: [] };
  const message = `The ${parameter} in the path ${reason}.`;
  return { text: raw, problems: [{ parameter, code: "malformed_value", message, value: shortened(raw) }] };
}

type Decoded = { text: string; reason?: undefined } | { text: undefined; reason: string };

/** Text without escapes: printable ASCII except the percent sign and the plus. */
const PLAIN = /^[!-$&-*,-~]*$/;
const [NUL, PLUS, PERCENT] = [0x00, 0x2b, 0x25];

function decode(raw: string): Decoded {
  if (PLAIN.test(raw)) return { text: raw };
  if (/%(?![0-9a-fA-F]{2})/.test(raw)) {
    return { text: undefined, reason: "has a '%' without two hexadecimal digits after it" };
  }
  const bytes = Buffer.allocUnsafe(raw.length);
  let length = 0;
  for (let at = 0; at < raw.length; at++) {
    let byte = raw.charCodeAt(at);
    if (byte === PERCENT) {
      byte = Number.parseInt(raw.slice(at + 1, at + 3), 16);
      at += 2;
    } else if (byte === PLUS) {
      bytes[length++] = NUL;
      continue;
    }
    if (byte === NUL) return { text: undefined, reason: CONTROL };
    bytes[length++] = byte;
  }
  try {
    const text = UTF8.decode(bytes.subarray(0, length));
    // The only NUL that is left replaces a plus.
    return /(?!\0)\p{Cc}/u.test(text) ? { text: undefined, reason: CONTROL } : { text };
  } catch {
    return { text: undefined, reason: "is not valid UTF-8" };
  }
}
const CONTROL = "has a control character";

/** The first 100 characters of a text, enough to recognise it. */
export function shortened(text: string): string {
  if (text.length <= 100) return text;
  const characters = Array.from(text);
  return characters.length > 100 ? `${characters.slice(0, 99).join("")}…` : text;
}

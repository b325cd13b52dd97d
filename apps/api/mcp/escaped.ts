/**
 * Characters that hide text from people, or change its order on a screen: control characters, those that direct writing, line separators,
 * and tags with the rest of their plane.
 */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u{E0000}-\u{E0FFF}]/gu;

/** JSON with these characters as `\u…`: it means the same. No JSON text has them outside of strings. */
export const escapedJson = (json: string): string =>
  json.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, n) => escapedUnit(character.charCodeAt(n))).join(""),
  );

const escapedUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Values nested deeper than this come only from a key whose value was replaced by a later one, and that key is named. */
const MAX_DEPTH = 100;

/**
 * The duplicate keys of objects in `json`, each once, such as `investors[].is_lead`. `JSON.parse` keeps only the last value of each, so
 * `json` is scanned only if it has more keys than its parsed value (`kept`).
 */
export function duplicateKeys(json: string, kept: number): string[] {
  return keysWritten(json) === kept ? [] : [...new Set(namesOfDuplicates(json))];
}

/** How many keys the objects in `value` have together; Infinity when it is nested deeper than `levels`. */
export function countKeys(value: unknown, levels: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (levels === 0) return Infinity;
  const members = Object.values(value);
  let count = Array.isArray(value) ? 0 : members.length;
  for (const member of members) if (typeof member === "object") count += countKeys(member, levels - 1);
  return count;
}

/** How many keys valid JSON has. */
function keysWritten(json: string): number {
  let count = 0;
  for (let start = json.indexOf('"'); start !== -1;) {
    const next = afterBlanks(json, endOfString(json, start));
    if (json.charCodeAt(next) === COLON) count++;
    start = json.indexOf('"', next);
  }
  return count;
}

function* namesOfDuplicates(json: string): Generator<string> {
  /** The objects and arrays around the place, with the key that was read last. */
  const levels: { keys: Set<string>; last: string }[] = [];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === OPEN_OBJECT) levels.push({ keys: new Set(), last: "" });
    else if (code === OPEN_ARRAY) levels.push({ keys: new Set(), last: "[]" });
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) levels.pop();
    else if (code === QUOTE) {
      const end = endOfString(json, at);
      if (json.charCodeAt(afterBlanks(json, end)) === COLON) {
        const level = levels.at(-1)!;
        level.last = JSON.parse(json.slice(at, end)) as string;
        if (level.keys.has(level.last) && levels.length <= MAX_DEPTH) yield path(levels.map(({ last }) => last));
        level.keys.add(level.last);
      }
      at = end - 1;
    }
  }
}

/** `["investors", "[]", "is_lead"]` as `investors[].is_lead`. */
const path = (keys: string[]) => keys.map((key, level) => (level > 0 && key !== "[]" ? `.${key}` : key)).join("");

/** The index after the string that begins at `start`. A quote after an odd number of backslashes is part of the string. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end + 1;
  }
}

function afterBlanks(json: string, start: number): number {
  let at = start;
  while (json.charCodeAt(at) <= 0x20) at++;
  return at;
}

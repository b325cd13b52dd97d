import type { Column } from "./roles.ts";

export const PART = "part";

export type Recogniser = {
  /** On the key of a column's name; the earlier one is the better. */
  names: readonly RegExp[];
  /** How much of the texts fits, 0 to 1. */
  fits: (column: Column) => number;
  /** Named like the role, but something else: why. `PART`: unless no other column has the role. */
  traps?: readonly (readonly [RegExp, string, typeof PART?])[];
};

export const shareOf = (texts: readonly string[], fits: (text: string) => boolean) =>
  texts.length === 0 ? 0 : texts.filter(fits).length / texts.length;
export const isUrl = (text: string) => /^https?:\/\//i.test(text);
/** Also of several items of a list. */
export const YES_OR_NO =
  /^(?:true|false|yes|no|y|n|ja|nein|oui|non|si|sí|x)(?:, ?(?:true|false|yes|no|y|n|ja|nein|oui|non|si|sí|x))*$/i;
/** As JSON or Python writes it. */
const isObject = (text: string) => /^\[?\{['"]\w+['"] ?:/.test(text);
export const mostlyWords = ({ texts }: Column) =>
  shareOf(texts, (text) => /\p{L}/u.test(text) && !isUrl(text) && !YES_OR_NO.test(text) && !isObject(text));
export const slugs = ({ texts }: Column) => shareOf(texts, (text) => /^\S+$/.test(text) && /[a-z]/i.test(text));
export const different = (texts: readonly string[]) => new Set(texts).size / Math.max(1, texts.length);

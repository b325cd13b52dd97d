import { DateTime } from "luxon";

/** Languages whose names of months are read. */
const LANGUAGES = "en de fr es it pt nl sv da nb fi pl cs sk hu ro ru uk tr".split(" ");

const WORD = /\p{L}{3,}/gu;
const bare = (name: string) => name.toLowerCase().replace(/\.$/, "");

/** What people write beside the names of CLDR. */
const EVERYDAY = [
  ["sept", 9],
  ["mrz", 3],
  ["jänner", 1],
  ["feber", 2],
  ["фев", 2],
  ["сен", 9],
  ["ноя", 11],
] as const;

let months: ReadonlyMap<string, number> | undefined;

/** The number of a month from 1; undefined when the word is not the name of one. */
export const monthOf = (word: string): number | undefined => (months ??= monthsByName()).get(bare(word));

/** A name that languages use for different months is none. */
function monthsByName(): ReadonlyMap<string, number> {
  const found = new Map<string, number>(EVERYDAY);
  const ambiguous = new Set<string>();
  for (const language of LANGUAGES)
    for (const style of ["long", "short"] as const)
      for (const beside of [{}, { day: "numeric" } as const])
        for (let month = 1; month <= 12; month++) {
          const parts = new Intl.DateTimeFormat(language, { month: style, ...beside, timeZone: "UTC" }).formatToParts(
            Date.UTC(2023, month - 1, 1),
          );
          const name = bare(parts.find(({ type }) => type === "month")!.value);
          if (!/^\p{L}{3,}$/u.test(name)) continue;
          if ((found.get(name) ?? month) !== month) ambiguous.add(name);
          found.set(name, month);
        }
  for (const name of ambiguous) found.delete(name);
  return found;
}

/** A text with the names of months in English. */
export function withEnglishMonth(text: string, length: "long" | "short"): string {
  return text.replace(WORD, (word) => {
    const month = monthOf(word);
    return month === undefined
      ? word
      : DateTime.utc(2023, month).toFormat(length === "long" ? "MMMM" : "MMM", { locale: "en" });
  });
}

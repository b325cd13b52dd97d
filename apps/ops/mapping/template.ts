import { keyOf } from "@tranche/shared/text/key";
import type { Value, Values } from "./value.ts";

const PLACE = /\{([^{}:]*)(:key)?\}/g;

/** `{name}`, `{name:key}`; `{n}` is the number of equal texts. */
export type Place = { name: string; asKey: boolean };

export function placesOf(template: unknown): Place[] {
  if (typeof template !== "string") return [];
  return [...template.matchAll(PLACE)].map((place) => ({ name: place[1]!, asKey: place[2] !== undefined }));
}

/** Whether the template is one place alone, whose value is taken as it is, with its type. */
function isPlaceAlone(template: string): boolean {
  const places = placesOf(template);
  return places.length === 1 && !places[0]!.asKey && template === `{${places[0]!.name}}`;
}

/**
 * Compiles a template. The result is null if a value in it is null or its key is empty, and a list if a value in it is a list.
 * `numberOf` counts equal texts, for `{n}`.
 */
export function templateReader(
  template: string | number | boolean | null,
): (values: Values, numberOf: (text: string) => number) => Value {
  if (typeof template !== "string") return () => template;
  const places = placesOf(template);
  if (isPlaceAlone(template)) return (values) => values[places[0]!.name] ?? null;

  const filled = (values: Values, numberOf: (text: string) => number): string | null => {
    for (const { name, asKey } of places) {
      if (name === "n") continue;
      const value = values[name] ?? null;
      if (value === null || (asKey && keyOf(String(value)) === "")) return null;
    }
    const text = template.replace(PLACE, (place, name: string, asKey: string | undefined) => {
      if (name === "n") return place;
      const shown = String(values[name]);
      return asKey ? keyOf(shown) : shown;
    });
    return text.includes("{n}") ? text.replace("{n}", String(numberOf(text))) : text;
  };

  return (values, numberOf) => {
    const list = places.find(({ name }) => Array.isArray(values[name]))?.name;
    if (list === undefined) return filled(values, numberOf);
    const items = values[list] as string[];
    return items.flatMap((item) => filled({ ...values, [list]: item }, numberOf) ?? []);
  };
}

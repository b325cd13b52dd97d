import { keyOf } from "@tranche/shared/domain/text/key";
import type { Value, Values } from "./value.ts";

const PLACEHOLDER = /\{([^{}:]*)(:key)?\}/g;

/** `{name}`, `{name:key}`; `{n}` is the number of equal texts. */
type Placeholder = { name: string; asKey: boolean };

export function placeholdersOf(template: unknown): Placeholder[] {
  if (typeof template !== "string") return [];
  return [...template.matchAll(PLACEHOLDER)].map((placeholder) => ({
    name: placeholder[1]!,
    asKey: placeholder[2] !== undefined,
  }));
}

/** Whether the template is a single placeholder, whose value is taken as it is, with its type. */
function isSinglePlaceholder(template: string): boolean {
  const placeholders = placeholdersOf(template);
  return placeholders.length === 1 && !placeholders[0]!.asKey && template === `{${placeholders[0]!.name}}`;
}

/**
 * Compiles a template. The result is null if a value in it is null or its key is empty, and a list if a value in it is a list.
 * `numberOf` counts equal texts, for `{n}`.
 */
export function templateReader(
  template: string | number | boolean | null,
): (values: Values, numberOf: (text: string) => number) => Value {
  if (typeof template !== "string") return () => template;
  const placeholders = placeholdersOf(template);
  if (isSinglePlaceholder(template)) return (values) => values[placeholders[0]!.name] ?? null;

  const filled = (values: Values, numberOf: (text: string) => number): string | null => {
    for (const { name, asKey } of placeholders) {
      if (name === "n") continue;
      const value = values[name] ?? null;
      if (value === null || (asKey && keyOf(String(value)) === "")) return null;
    }
    const text = template.replace(PLACEHOLDER, (placeholder, name: string, asKey: string | undefined) => {
      if (name === "n") return placeholder;
      const shown = String(values[name]);
      return asKey ? keyOf(shown) : shown;
    });
    return text.includes("{n}") ? text.replace("{n}", String(numberOf(text))) : text;
  };

  return (values, numberOf) => {
    const list = placeholders.find(({ name }) => Array.isArray(values[name]))?.name;
    if (list === undefined) return filled(values, numberOf);
    const items = values[list] as string[];
    return items.flatMap((item) => filled({ ...values, [list]: item }, numberOf) ?? []);
  };
}

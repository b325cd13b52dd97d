import { z } from "zod";
import { closest } from "../text/closest.ts";
import { keyOf } from "../text/key.ts";

/** Field names of an object; a field that holds a list of objects has theirs. */
export type Fields = ReadonlyMap<string, Fields | undefined>;

export function fieldsOf(schema: z.ZodObject): Fields {
  return new Map(Object.entries(schema.shape).map(([name, field]) => [name, fieldsOfItems(field)]));
}

function fieldsOfItems(schema: z.core.$ZodType): Fields | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return fieldsOfItems(schema.unwrap());
  return schema instanceof z.ZodArray && schema.element instanceof z.ZodObject ? fieldsOf(schema.element) : undefined;
}

/** The fields of `input` that are not `known`, each named once: `cuntry`, `investors[].is_leed`. */
export function unknownFields(input: object, known: Fields): string[] {
  const found: string[] = [];
  collectUnknown(input, known, "", found);
  return found.length < 2 ? found : [...new Set(found)];
}

function collectUnknown(input: object, known: Fields, path: string, found: string[]): void {
  for (const name of Object.keys(input)) {
    if (!known.has(name)) found.push(path + name);
    const ofItems = known.get(name);
    const items = ofItems && (input as Record<string, unknown>)[name];
    if (!Array.isArray(items)) continue;
    for (const item of items) {
      if (typeof item === "object" && item !== null) collectUnknown(item, ofItems!, `${path}${name}[].`, found);
    }
  }
}

/** The known field most like an unknown one, both named as `unknownFields` does. */
export function closestField(unknown: string, known: Fields, path = ""): string | undefined {
  for (const [name, ofItems] of known) {
    const inside = `${name}[].`;
    if (ofItems && unknown.startsWith(inside)) return closestField(unknown.slice(inside.length), ofItems, inside);
  }
  const name = keyOf(unknown).replaceAll("-", "_");
  const near = closest(name, known.keys()) ?? [...known.keys()].find((each) => sorted(each) === sorted(name));
  return near && path + near;
}

/** Short names with two letters swapped, such as `nmae`, are not an edit of one letter, but have the same ones. */
const sorted = (name: string) => Array.from(name).toSorted().join("");

import type { z } from "zod";

/** Calls `make` once for each schema, because many endpoints share theirs: turned into JSON Schema each time, they were a third of a start. */
export function oncePerSchema<T>(make: (schema: z.ZodType) => T): (schema: z.ZodType) => T {
  const made = new WeakMap<z.ZodType, T>();
  return (schema) => {
    if (!made.has(schema)) made.set(schema, make(schema));
    return made.get(schema)!;
  };
}

import { z } from "zod";
import { oncePerSchema } from "../responses/once-per-schema.ts";

export type JsonSchema = Record<string, unknown>;

/**
 * Turns zod schemas into the schemas of an OpenAPI document. Schemas with an id are written once, in `components`, and referenced
 * everywhere else.
 */
export function createSchemas() {
  const components: Record<string, JsonSchema> = {};
  /** `change` is made to each object of a schema, and `nameOf` names the component of a definition. */
  const written = (schema: z.ZodType, nameOf: NameOf, change: (part: JsonSchema) => JsonSchema) => {
    const { own, definitions } = generated(schema);
    const relocated = (part: JsonSchema) =>
      mapped(part, ({ $ref, ...rest }) => {
        const id = typeof $ref === "string" ? $ref.replace("#/$defs/", "") : undefined;
        return change(
          id === undefined ? rest : { $ref: `#/components/schemas/${nameOf(id, definitions[id]!)}`, ...rest },
        );
      });
    for (const [id, definition] of Object.entries(definitions))
      components[nameOf(id, definition)] = relocated(definition);
    // For a schema with an id, this is a reference to its definition.
    return relocated(own);
  };
  return {
    components,
    /** The schema of what callers send. Words are closed, so a list of words that answers have, too, has a name of its own here. */
    parameterSchema: oncePerSchema((schema) =>
      written(schema, (id, { enum: words }) => (words === undefined ? id : `${id}Parameter`), same),
    ),
    /** The schema of an answer: later versions may add members to its objects and values to its words. */
    answerSchema: oncePerSchema((schema) => written(schema, same, opened)),
  };
}

type NameOf = (id: string, definition: JsonSchema) => string;
const same = <T>(value: T): T => value;

/** Without what a later version may break: objects are open, and words are texts, with the known ones in `x-extensible-enum`. */
function opened({ additionalProperties, enum: words, ...rest }: JsonSchema): JsonSchema {
  return {
    ...rest,
    ...(additionalProperties === undefined || additionalProperties === false ? {} : { additionalProperties }),
    ...(words === undefined ? {} : { "x-extensible-enum": words }),
  };
}

/** A schema and the definitions that it refers to, by id. */
function generated(schema: z.ZodType): { own: JsonSchema; definitions: Record<string, JsonSchema> } {
  const {
    $schema: _,
    $defs: definitions = {},
    ...own
  } = z.toJSONSchema(schema, {
    io: "output",
    override: ({ jsonSchema }) => {
      // The format says the same in words.
      if (jsonSchema.format) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      delete jsonSchema.id;
    },
  }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  return { own, definitions };
}

/** A schema with each object of it changed, from the outside in. */
function mapped(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    return typeof value === "object" && value !== null ? mapped(value as JsonSchema, change) : value;
  };
  return Object.fromEntries(Object.entries(change(schema)).map(([name, value]) => [name, within(value)]));
}

export type Schemas = ReturnType<typeof createSchemas>;

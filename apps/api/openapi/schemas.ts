import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/**
 * Turns zod schemas into the schemas of an OpenAPI document. Schemas with an id are written once, in `components`, and referenced
 * everywhere else.
 */
export function createSchemas() {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    /** The schema of what callers send. */
    schemaOf(schema: z.ZodType): JsonSchema {
      const { own, definitions } = written(schema);
      for (const [id, definition] of Object.entries(definitions)) components[id] = relocated(definition);
      // For a schema with an id, this is a reference to its definition.
      return relocated(own);
    },
    /** The schema of an answer: later versions may add members to its objects and values to its lists of words. */
    openSchemaOf(schema: z.ZodType): JsonSchema {
      const { own, definitions } = written(schema);
      for (const [id, definition] of Object.entries(definitions)) {
        if (!definition.enum) components[id] = relocated(opened(definition, definitions));
      }
      return relocated(opened(own, definitions));
    },
  };
}

type Definitions = Record<string, JsonSchema>;

function written(schema: z.ZodType): { own: JsonSchema; definitions: Definitions } {
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
  }) as JsonSchema & { $defs?: Definitions };
  return { own, definitions };
}

/**
 * A schema without what a later version may break: objects are open, and words are texts with the known ones in `x-extensible-enum`.
 * Named words are written in place, because what callers may send has their name.
 */
function opened(schema: JsonSchema, definitions: Definitions): JsonSchema {
  return mapped(schema, ({ $ref, ...rest }) => {
    const named = typeof $ref === "string" ? definitions[$ref.replace("#/$defs/", "")] : undefined;
    const whole: JsonSchema = named?.enum ? { ...named, ...rest } : { $ref, ...rest };
    const { additionalProperties, enum: words, ...open } = whole;
    return {
      ...open,
      ...(additionalProperties === false ? {} : { additionalProperties }),
      ...(words ? { "x-extensible-enum": words } : {}),
    };
  });
}

/** A schema with each object of it changed, from the outside in. */
function mapped(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    return typeof value === "object" && value !== null ? mapped(value as JsonSchema, change) : value;
  };
  return Object.fromEntries(Object.entries(change(schema)).map(([name, value]) => [name, within(value)]));
}

/** The same schema with its references pointing into `components`. */
function relocated(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}

export type Schemas = ReturnType<typeof createSchemas>;

import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/**
 * Turns zod schemas into the schemas of an OpenAPI document. Schemas with an id are written once, in `components`, and referenced
 * everywhere else.
 */
export function createSchemas() {
  const components: Record<string, JsonSchema> = {};

  const schemaOf = (schema: z.ZodType): JsonSchema => {
    const {
      $schema: _,
      $defs = {},
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
    for (const [id, definition] of Object.entries($defs)) components[id] = relocated(definition);
    // For a schema with an id, this is a reference to its definition.
    return relocated(own);
  };
  return { schemaOf, components };
}

/** The same schema with its references pointing into `components`. */
function relocated(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}

export type Schemas = ReturnType<typeof createSchemas>;

import type { ListName } from "@tranche/shared/accounts/saved-search";

/** How the value of a parameter is entered. */
type FieldKind = "list" | "choice" | "date" | "number" | "year" | "flag" | "text";

/** A parameter of a list, as a form shows it. */
export type Field = {
  name: string;
  kind: FieldKind;
  /** Its meaning, without example and default. */
  description: string;
  /** As in a query string, not escaped. */
  example: string;
  /** The words of a closed vocabulary. */
  choices?: string[];
  fallback?: string;
  /** For a list: a `!` before an item excludes it. */
  excludes?: true;
};

export type { ListName };

/** The parameters of every list, in the order of the API's tables. */
export type ListFields = Record<ListName, Field[]>;

/** The part of the API's OpenAPI document that is read here. */
export type ApiDocument = {
  paths: Record<
    string,
    { get?: { parameters?: { name: string; in: string; description?: string; schema: Schema }[] } }
  >;
  components: { schemas: Record<string, Schema> };
};
type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  items?: Schema;
  anyOf?: Schema[];
  examples?: unknown[];
};

const EXAMPLE = / Example: `([^`]*)`\.$/;
const FALLBACK = / Default: `([^`]*)`\.$/;
const EXCLUSION = " A `!` before an item excludes it (`!item`).";

/** Reads the parameters of every list from the API's own description. Throws when a list is not in it. */
export function listFields(document: ApiDocument): ListFields {
  const fieldsOf = (list: ListName): Field[] => {
    const parameters = document.paths[`/api/v1/${list}`]?.get?.parameters;
    if (!parameters) throw new Error(`The API describes no list of ${list}.`);
    return parameters
      .filter((parameter) => parameter.in === "query")
      .map(({ name, description = "", schema }) => fieldOf(name, description, schema, document.components.schemas));
  };
  return {
    funding: fieldsOf("funding"),
    signals: fieldsOf("signals"),
    companies: fieldsOf("companies"),
    investors: fieldsOf("investors"),
  };
}

function fieldOf(name: string, described: string, schema: Schema, schemas: Record<string, Schema>): Field {
  const example = EXAMPLE.exec(described)?.[1] ?? "";
  const withoutExample = described.replace(EXAMPLE, "");
  const excludes = withoutExample.includes(EXCLUSION);
  const withoutExclusion = withoutExample.replace(EXCLUSION, "");
  const fallback = FALLBACK.exec(withoutExclusion)?.[1];
  const words = choicesOf(schema.type === "array" ? (schema.items ?? {}) : schema, schemas);
  return {
    name,
    kind: kindOf(name, schema, words),
    description: withoutExclusion.replace(FALLBACK, ""),
    example,
    ...(words ? { choices: words } : {}),
    ...(fallback === undefined ? {} : { fallback }),
    ...(excludes ? { excludes } : {}),
  };
}

function choicesOf(schema: Schema, schemas: Record<string, Schema>): string[] | undefined {
  if (schema.$ref) return choicesOf(schemas[schema.$ref.split("/").at(-1)!] ?? {}, schemas);
  if (schema.enum) return schema.enum;
  return schema.anyOf?.map((one) => choicesOf(one, schemas)).find((words) => words !== undefined);
}

function kindOf(name: string, schema: Schema, words: string[] | undefined): FieldKind {
  if (schema.type === "array") return "list";
  if (words) return "choice";
  if (schema.format === "date") return "date";
  if (schema.type === "integer" && name.endsWith("_year")) return "year";
  if (schema.type === "number" || schema.type === "integer") return "number";
  return schema.type === "boolean" ? "flag" : "text";
}

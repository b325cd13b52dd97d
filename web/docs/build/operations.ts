/** The parts of an OpenAPI document that this site needs. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: (string | number)[];
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  examples?: (string | number | string[])[];
};
type ParameterObject = {
  name: string;
  in: "query" | "path" | "header";
  required: boolean;
  description: string;
  schema: Schema;
  example?: string;
};
type ResponseObject = {
  description: string;
  content?: Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }>;
};
type OperationObject = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: ParameterObject[];
  responses: Record<string, ResponseObject>;
};
export type OpenApi = {
  paths: Record<string, { get: OperationObject }>;
  components: { schemas: Record<string, Schema> };
};

export type Parameter = {
  name: string;
  in: ParameterObject["in"];
  required: boolean;
  text: string;
  /** In a word: `list`, `number`, `date`, … */
  type: string;
  isList: boolean;
  excludes: boolean;
  values: string[];
  example: string;
  /** The initial value of the form. */
  initial: string;
};

export type Operation = {
  id: string;
  path: string;
  tag: string;
  title: string;
  description: string;
  parameters: Parameter[];
  errors: { status: string; codes: string[] }[];
  answer: { type: string; example: string; schema: Schema | undefined };
  /** Of the request that the form begins with. */
  url: string;
};

/** Stands in code for the address of the service; the script of the page puts the real one there. */
const EXAMPLE_SERVICE = "http://127.0.0.1:3000";
const EXCLUDES = " A `!` before an item excludes it (`!item`).";
const EXAMPLE = / Example: `[^`]*`\./;
/** Parameters that the form begins with, beside the required ones, so that the example says something. */
const SHOWN_FIRST = new Set(["country", "group_by"]);

/** The operations of a document, in its order. */
export function operationsOf({ paths, components }: OpenApi): Operation[] {
  return Object.entries(paths).map(([path, { get }]) => {
    const parameters = get.parameters.map((parameter) => parameterOf(parameter, components.schemas));
    const [type, content] = Object.entries(get.responses["200"]?.content ?? {})[0] ?? ["application/json", {}];
    const example = content.example ?? content.examples?.["default"]?.value;
    return {
      id: get.operationId,
      path,
      tag: get.tags[0]!,
      title: get.summary,
      description: get.description,
      parameters,
      errors: Object.entries(get.responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, response]) => ({ status, codes: codesOf(response) })),
      answer: {
        type,
        example: typeof example === "string" ? example : JSON.stringify(example, undefined, 2),
        schema: type === "application/json" ? content.schema : undefined,
      },
      url: urlOf(path, parameters),
    };
  });
}

function urlOf(path: string, parameters: readonly Parameter[]): string {
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.initial !== "")
    .map(({ name, initial }) => `${name}=${encodeURIComponent(initial)}`);
  const id = parameters.find((parameter) => parameter.in === "path")?.initial ?? "";
  const address = EXAMPLE_SERVICE + path.replace("{id}", encodeURIComponent(id));
  return query.length === 0 ? address : `${address}?${query.join("&")}`;
}

function parameterOf(given: ParameterObject, schemas: Record<string, Schema>): Parameter {
  const { name, required, description } = given;
  const schema = resolve(given.schema, schemas);
  const items = schema.items && resolve(schema.items, schemas);
  const values = valuesOf(items ?? schema, schemas);
  const [first] = given.schema.examples ?? schema.examples ?? (given.example === undefined ? [] : [given.example]);
  const isList = items !== undefined;
  const lastItem = Array.isArray(first) ? first.at(-1)! : first;
  return {
    name,
    in: given.in,
    required,
    text: description.replace(EXCLUDES, "").replace(" Any of them.", "").replace(EXAMPLE, "").trim(),
    type: isList ? "list" : (schema.format ?? (Array.isArray(schema.type) ? schema.type[0]! : (schema.type ?? "text"))),
    isList,
    excludes: description.includes(EXCLUDES),
    values,
    example: first === undefined ? "" : String(first),
    initial: required || SHOWN_FIRST.has(name) ? String(lastItem ?? "") : "",
  };
}

/** The schema that a reference names. */
export function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.split("/").at(-1)!] ?? {});
}

function valuesOf(schema: Schema, schemas: Record<string, Schema>): string[] {
  const alternatives = [schema, ...(schema.anyOf ?? [])].map((each) => resolve(each, schemas));
  return alternatives.find((each) => each.enum !== undefined)?.enum?.map(String) ?? [];
}

const codesOf = ({ content = {} }: ResponseObject): string[] =>
  Object.values(content).flatMap(({ examples }) => Object.keys(examples ?? {}));

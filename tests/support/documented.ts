import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  example?: string;
  schema: { examples?: (string | number | string[])[]; maximum?: number };
};
type Reply = { headers?: Record<string, unknown>; content?: Record<string, { schema: object }> };
type Operation = { operationId: string; parameters: Parameter[]; responses: Record<string, Reply> };

/** The committed OpenAPI document, as callers have it. */
export const DOCUMENT = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, { get: Operation }>;
  components: object;
};

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats.default(ajv);
const validators = new Map<object, ValidateFunction>();
/** Callers take members and values that the document does not name; the service of today has none. */
function closed<Schema>(schema: Schema): Schema {
  const text = JSON.stringify(schema, (_, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const { "x-extensible-enum": words, ...rest } = value as Record<string, unknown>;
    return {
      ...(rest["type"] === "object" ? { additionalProperties: false } : {}),
      ...(words ? { enum: words } : {}),
      ...rest,
    };
  });
  return JSON.parse(text) as Schema;
}

const CLOSED_COMPONENTS = closed(DOCUMENT.components);
const ANY_ERROR = { $ref: "#/components/schemas/ErrorResponse" };

/**
 * The parts of an answer that the OpenAPI document lacks, for an address as it is there (`/api/v1/companies/{id}`), or for
 * one that it does not have: an error of the shape of all errors.
 */
export function undocumented(path: string, { status, headers }: Response, body: string): string[] {
  const operation = DOCUMENT.paths[path]?.get;
  const reply = operation?.responses[status];
  if (operation && !reply) return [`there is no ${status}`];
  const missing = Object.keys(reply?.headers ?? {})
    .filter((name) => !SOMETIMES.has(name) && !headers.has(name))
    .map((name) => `a ${status} has no ${name}`);
  if (status === 304) return missing;

  const type = (headers.get("content-type") ?? "").split(";")[0]!;
  // The tables of lists are described in words.
  if (type !== "application/json") return status === 200 && TABLES.has(type) ? missing : [`a ${status} is no ${type}`];
  const schema = reply?.content?.[type]?.schema ?? ANY_ERROR;
  const validate = validators.get(schema) ?? ajv.compile({ allOf: [closed(schema)], components: CLOSED_COMPONENTS });
  validators.set(schema, validate);
  if (validate(JSON.parse(body))) return missing;
  return [...missing, ajv.errorsText(validate.errors, { dataVar: "answer" })];
}

const TABLES = new Set(["text/csv", "application/x-ndjson"]);

/** Headers that are present only where they apply. */
const SOMETIMES = new Set([
  "Content-Disposition",
  "Preference-Applied",
  "X-Total-Count",
  "X-Next-Cursor",
  "X-Changes-Since",
  "X-Warnings",
]);

/** Requests of the document below `/api/v1`: each address with its example of an id, alone and with the example of each parameter. */
export function documentedRequests(): string[] {
  return Object.entries(DOCUMENT.paths).flatMap(([path, { get }]) => {
    const id = get.parameters.find((parameter) => parameter.in === "path")?.example ?? "";
    const address = path.replace("/api/v1", "").replace("{id}", id);
    const examplesOf = ({ name, schema }: Parameter) =>
      (schema.examples ?? []).map((value) => `${name}=${encodeURIComponent(String(value))}`);
    const inQuery = get.parameters.filter((parameter) => parameter.in === "query");
    const required = inQuery.filter((parameter) => parameter.required).flatMap(examplesOf);
    const others = inQuery.filter((parameter) => !parameter.required).flatMap(examplesOf);
    const queries = [required, ...others.map((other) => [...required, other])];
    return queries.map((query) => (query.length === 0 ? address : `${address}?${query.join("&")}`));
  });
}

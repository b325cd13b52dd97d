import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Example = { value: unknown };
type Parameter = { name: string; in: "query" | "path" | "header"; example?: unknown };
type Reply = { headers?: Record<string, unknown>; content?: Record<string, { examples?: Record<string, Example> }> };
type Operation = { parameters: Parameter[]; responses: Record<string, Reply> };

/** The committed OpenAPI document, as callers have it. */
export const DOCUMENT = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, { get: Operation }>;
};

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema(DOCUMENT, "document");
const compiled = new Map<string, ValidateFunction>();

/**
 * What about an answer the OpenAPI document does not say, for an address as it stands there (`/api/v1/companies/{id}`), or for
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
  if (reply && !reply.content?.[type]) return [`a ${status} is no ${type}`];
  if (type !== "application/json") return missing;
  const pointer = reply
    ? ["paths", path, "get", "responses", String(status), "content", type, "schema"]
    : ["components", "schemas", "Error"];
  const $ref = `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
  const validate = compiled.get($ref) ?? ajv.compile({ $ref });
  compiled.set($ref, validate);
  if (validate(JSON.parse(body))) return missing;
  return [...missing, ajv.errorsText(validate.errors, { dataVar: "answer" })];
}

/** Headers that stand only where there is something to say. */
const SOMETIMES = new Set(["Preference-Applied", "X-Total-Count", "X-Warnings"]);

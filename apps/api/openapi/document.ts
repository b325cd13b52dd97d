import { MEDIA_TYPES } from "../present/formats.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { errorResponses, invalidExample } from "./error-responses.ts";
import { EXAMPLES, FLAT_ROWS, TEXTS } from "./examples.ts";
import { headerRefs, HEADERS, LIMIT_HEADERS } from "./headers.ts";
import { isExport } from "./endpoint-kind.ts";
import { queryParameter } from "./query-parameter.ts";
import { webhookOperations } from "./webhooks.ts";
import { createSchemas, type JsonSchema, type Schemas } from "./schemas.ts";

/**
 * The OpenAPI 3.1 document, generated from the tables and schemas that read requests and check responses. `server`: the address of
 * the service without a path, such as `https://api.example.com`.
 */
export function openApiDocument(endpoints: Endpoints, server: string): JsonSchema {
  const schemas = createSchemas();
  const paths = Object.fromEntries(
    Object.entries(endpoints).map(([name, endpoint]) => [
      endpoint.path,
      { get: operation(name as keyof Endpoints, endpoint, schemas, invalidExample(endpoints)) },
    ]),
  );
  const webhooks = webhookOperations(endpoints, schemas);
  return {
    openapi: "3.1.0",
    info: {
      title: "Tranche",
      version: "1.0.0",
      description:
        "Funding rounds and company signals. Read-only; every endpoint needs an API key in `Authorization: Bearer <API_KEY>`. Limits depend on the plan. Errors are explained at [/docs/errors](/docs/errors).",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: server }],
    security: [{ apiKey: [] }],
    tags: [{ name: "Lists" }, { name: "Exports" }, { name: "Look-ups" }, { name: "Webhooks" }],
    paths,
    webhooks,
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "An API key: `trn_…`." } },
      headers: HEADERS,
      schemas: Object.fromEntries(Object.entries(schemas.components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function operation(name: keyof Endpoints, endpoint: Endpoint, schemas: Schemas, invalid: unknown): JsonSchema {
  const list = endpoint.formats.length > 1 && !isExport(endpoint);
  const headers = ["X-Request-Id", ...(isExport(endpoint) ? [] : CONTENT_HEADERS)];
  const parameters = [
    ...(endpoint.id ? [{ name: "id", in: "path", required: true, schema: ID, ...endpoint.id }] : []),
    ...Object.entries(endpoint.parameters).map(([parameter, row]) => queryParameter(parameter, row, schemas)),
    ...(endpoint.parameters.limit?.capped ? [PREFER] : []),
    ...(isExport(endpoint) ? [] : [IF_NONE_MATCH]),
  ];
  return {
    operationId: endpoint.operationId,
    tags: [list ? "Lists" : isExport(endpoint) ? "Exports" : "Look-ups"],
    summary: endpoint.summary,
    description: list ? `${endpoint.description}\n\n${TABLES}` : endpoint.description,
    parameters,
    responses: {
      200: {
        description: "Success.",
        headers: headerRefs([...headers, ...pageHeaders(endpoint), ...LIMIT_HEADERS]),
        content: content(name, endpoint, schemas),
      },
      ...(isExport(endpoint)
        ? {}
        : {
            304: {
              description: "Not modified: `If-None-Match` names the current response.",
              headers: headerRefs([...headers, ...LIMIT_HEADERS]),
            },
          }),
      ...errorResponses(endpoint, schemas, invalid),
    },
  };
}

const CONTENT_HEADERS = ["ETag", "Cache-Control", "Vary"];

function pageHeaders(endpoint: Endpoint): string[] {
  if (isExport(endpoint)) return ["X-Total-Count", "X-Changes-Since", "X-Warnings", "Content-Disposition"];
  const paged = endpoint.parameters.limit?.capped ? ["Link", "Preference-Applied"] : [];
  return endpoint.formats.length > 1 ? [...paged, "X-Total-Count", "X-Next-Cursor", "X-Warnings"] : paged;
}

function content(name: keyof Endpoints, endpoint: Endpoint, schemas: Schemas): JsonSchema {
  if (!isExport(endpoint)) {
    return { [MEDIA_TYPES.json]: { schema: schemas.answerSchema(endpoint.response), ...examplesOf(name) } };
  }
  const { csv, ndjson } = TEXTS[name as keyof typeof TEXTS];
  return {
    [MEDIA_TYPES.ndjson]: { schema: { type: "string", description: "One JSON object per line." }, example: ndjson },
    [MEDIA_TYPES.csv]: { schema: { type: "string", description: "RFC 4180, with a header row." }, example: csv },
  };
}

/** Not among the media types of the reply: a generated client would have to distinguish them at every call. */
const TABLES =
  "Send `Accept: text/csv` for CSV (RFC 4180, with a header row) or `Accept: application/x-ndjson` for one JSON object per line. The count is then in `X-Total-Count`, warnings are in `X-Warnings`.";

function examplesOf(name: keyof Endpoints): JsonSchema {
  const example = EXAMPLES[name];
  if (name !== "signals" && name !== "companies") return { example };
  const flat = { ...(example as object), data: [FLAT_ROWS[name]] };
  return { examples: { default: { value: example }, flat: { summary: "With `format=flat`", value: flat } } };
}

/** An id or slug in a path: control characters are malformed. */
const ID = { type: "string", minLength: 1, pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]+$` };

const PREFER = {
  name: "Prefer",
  in: "header",
  required: false,
  description: "`handling=strict` refuses a `limit` above the plan's cap instead of giving a smaller page (RFC 7240).",
  schema: { type: "string" },
};

const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description:
    "The `ETag` of a response that you have. If it is still current, the reply is 304 and costs no quota (statistics with `group_by`: unless they had to be computed anew).",
  schema: { type: "string" },
};

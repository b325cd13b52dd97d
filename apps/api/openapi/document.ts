import { ERRORS, type ErrorCode } from "../errors/catalogue.ts";
import { ApiError, invalidParameters } from "../errors/api-error.ts";
import { errorBody } from "@tranche/http/errors/error-body";
import { SENT } from "@tranche/read-models/parameters/kinds/kind";
import { isExcluding, isList } from "@tranche/read-models/parameters/kinds/list";
import type { Parameter } from "@tranche/read-models/parameters/parameter";
import { readParameters } from "@tranche/read-models/parameters/read";
import { MEDIA_TYPES } from "../present/formats.ts";
import { valueSchema } from "../responses/envelopes.ts";
import { error as errorSchema } from "../responses/error.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { EXAMPLES, FLAT_ROWS, TEXTS } from "./examples.ts";
import { HEADERS, LIMIT_HEADERS } from "./headers.ts";
import { createSchemas, type JsonSchema } from "./schemas.ts";

type Schemas = ReturnType<typeof createSchemas>;

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
    tags: [{ name: "Lists" }, { name: "Exports" }, { name: "Look-ups" }],
    paths,
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

/** Exports have no JSON body and no ETag. */
const isExport = ({ formats }: Endpoint): boolean => !formats.includes("json");

/** Feeds of changes go on from a position. */
const isFeed = ({ parameters }: Endpoint): boolean => "since" in parameters;

const CONTENT_HEADERS = ["ETag", "Cache-Control", "Vary"];

function pageHeaders(endpoint: Endpoint): string[] {
  if (isExport(endpoint)) return ["X-Total-Count", "X-Changes-Since", "X-Warnings", "Content-Disposition"];
  const paged = endpoint.parameters.limit?.capped ? ["Link", "Preference-Applied"] : [];
  return endpoint.formats.length > 1 ? [...paged, "X-Total-Count", "X-Next-Cursor", "X-Warnings"] : paged;
}

function content(name: keyof Endpoints, endpoint: Endpoint, schemas: Schemas): JsonSchema {
  if (!isExport(endpoint)) {
    return { [MEDIA_TYPES.json]: { schema: schemas.schemaOf(endpoint.response), ...examplesOf(name) } };
  }
  const { csv, ndjson } = TEXTS[name as keyof typeof TEXTS];
  return {
    [MEDIA_TYPES.ndjson]: { schema: { type: "string", description: "One JSON object per line." }, example: ndjson },
    [MEDIA_TYPES.csv]: { schema: { type: "string", description: "RFC 4180, with a header row." }, example: csv },
  };
}

/** Not among the media types of the reply: a generated client would have to tell them apart at every call. */
const TABLES =
  "Send `Accept: text/csv` for CSV (RFC 4180, with a header row) or `Accept: application/x-ndjson` for one JSON object per line. The count is then in `X-Total-Count`, warnings are in `X-Warnings`.";

function examplesOf(name: keyof Endpoints): JsonSchema {
  const example = EXAMPLES[name];
  if (name !== "signals" && name !== "companies") return { example };
  const flat = { ...(example as object), data: [FLAT_ROWS[name]] };
  return { examples: { default: { value: example }, flat: { summary: "With `format=flat`", value: flat } } };
}

function queryParameter(name: string, row: Parameter, schemas: Schemas): JsonSchema {
  const schema = schemas.schemaOf(SENT.get(row.kind) ?? valueSchema(row.kind));
  const list = schema.type === "array";
  const value = row.kind.decode(row.example);
  return {
    name,
    in: "query",
    required: row.required ?? false,
    description: [
      row.description,
      ...(isExcluding(row.kind) ? [EXCLUDING] : []),
      // In words: generated clients send every `default` of a schema, also `offset` beside `cursor`.
      ...(row.fallback === undefined ? [] : [`Default: \`${row.fallback}\`.`]),
      ...("enum" in schema ? [] : [`Example: \`${row.example}\`.`]),
    ].join(" "),
    // Not the `example` of the parameter: the reference would fill in all of them, and hardly any row matches all filters.
    schema: {
      ...schema,
      examples: [list ? row.example.split(",") : value],
    },
    ...(list ? { style: "form", explode: isList(row.kind) } : {}),
  };
}

/** For every list whose items can be excluded. */
const EXCLUDING = "A `!` before an item excludes it (`!item`).";

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
  description: "The `ETag` of a response that you have. If it is still current, the reply is 304 and costs no quota.",
  schema: { type: "string" },
};

const headerRefs = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Errors of only some endpoints, and headers of only some errors. */
const ONLY_WITH_ID: readonly ErrorCode[] = ["not_found"];
const ONLY_OF_EXPORTS: readonly ErrorCode[] = ["plan_forbidden"];
const ONLY_OF_CHANGES: readonly ErrorCode[] = ["position_expired"];
/** Never the reply to a well-formed GET request of an endpoint. */
const NOT_HERE: readonly ErrorCode[] = ["invalid_request", "method_not_allowed"];
const ERROR_HEADERS: Partial<Record<ErrorCode, string[]>> = {
  unauthorized: ["WWW-Authenticate"],
  rate_limited: ["Retry-After", ...LIMIT_HEADERS],
  quota_exceeded: ["Retry-After", ...LIMIT_HEADERS],
  unavailable: ["Retry-After"],
};

function errorResponses(endpoint: Endpoint, schemas: Schemas, invalid: unknown): JsonSchema {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter(
    (code) =>
      !NOT_HERE.includes(code) &&
      (endpoint.id || !ONLY_WITH_ID.includes(code)) &&
      (isExport(endpoint) || isFeed(endpoint) || !ONLY_OF_EXPORTS.includes(code)) &&
      (isFeed(endpoint) || !ONLY_OF_CHANGES.includes(code)),
  );
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      status,
      {
        description: those.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join("\n\n"),
        headers: headerRefs([...new Set(["X-Request-Id", ...those.flatMap((code) => ERROR_HEADERS[code] ?? [])])]),
        content: {
          [MEDIA_TYPES.json]: {
            schema: schemas.schemaOf(errorSchema),
            examples: Object.fromEntries(
              those.map((code) => [
                code,
                {
                  value:
                    code === "invalid_parameter" ? invalid : errorExample(new ApiError(code, ERRORS[code].meaning)),
                },
              ]),
            ),
          },
        },
      },
    ]),
  );
}

const errorExample = (error: ApiError) => errorBody(error, "req_5f0c6a");

/** The reply to a misspelt signal key. */
function invalidExample(endpoints: Endpoints): unknown {
  return errorExample(invalidParameters(readParameters(endpoints.signals.parameters, "signal=just_rased").problems));
}

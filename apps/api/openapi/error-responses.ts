import { errorBody } from "@tranche/http/errors/error-body";
import { readParameters } from "@tranche/read-models/parameters/read";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { ApiError, invalidParameters } from "../errors/api-error.ts";
import { ERRORS, type ErrorCode } from "../errors/catalogue.ts";
import { MEDIA_TYPES } from "../present/formats.ts";
import { error as errorSchema } from "../responses/error.ts";
import { headerRefs, LIMIT_HEADERS } from "./headers.ts";
import { isExport, isFeed } from "./endpoint-kind.ts";
import type { JsonSchema, Schemas } from "./schemas.ts";

/** Errors of only some endpoints, and headers of only some errors. */
const ONLY_WITH_ID: readonly ErrorCode[] = ["not_found"];
const ONLY_OF_EXPORTS: readonly ErrorCode[] = ["plan_forbidden"];
const ONLY_OF_CHANGES: readonly ErrorCode[] = ["position_expired"];
/** Never the reply to a well-formed GET request of an endpoint. */
const NOT_HERE: readonly ErrorCode[] = ["invalid_request", "method_not_allowed", "forbidden", "payload_too_large"];
const ERROR_HEADERS: Partial<Record<ErrorCode, string[]>> = {
  unauthorized: ["WWW-Authenticate"],
  rate_limited: ["Retry-After", ...LIMIT_HEADERS],
  quota_exceeded: ["Retry-After", ...LIMIT_HEADERS],
  unavailable: ["Retry-After"],
};

export function errorResponses(endpoint: Endpoint, schemas: Schemas, invalid: unknown): JsonSchema {
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
            schema: schemas.answerSchema(errorSchema),
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

const errorExample = (error: ApiError) => errorBody(error, { requestId: "req_5f0c6a", publicPath: "" });

/** The reply to a misspelt signal key. */
export function invalidExample(endpoints: Endpoints): unknown {
  return errorExample(invalidParameters(readParameters(endpoints.signals.parameters, "signal=just_rased").problems));
}

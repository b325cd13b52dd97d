import { REQUEST_FAULTS } from "./request-faults.ts";

/**
 * Every error a caller of the API can get: its HTTP status and what it means. Docs and OpenAPI are generated from this table, and
 * the dashboard shows its remedies. */
export const ERRORS = Object.freeze({
  invalid_parameter: {
    status: 400,
    meaning: "A query parameter is unknown, repeated or malformed, or its value is. All problems are in `details`.",
    remedy: "Correct every parameter that `details` names; `suggestion` and `allowed` give correct values.",
  },
  invalid_request: {
    status: REQUEST_FAULTS.invalid_request,
    meaning: "The bytes that arrived are not a well-formed HTTP request.",
    remedy: "Use an HTTP client that follows RFC 9112; a proxy in between may have damaged the request.",
  },
  unauthorized: {
    status: 401,
    meaning: "The API key is missing, malformed, unknown, expired or revoked, or its account is not active.",
    remedy: "Send `Authorization: Bearer <API_KEY>` with a valid key; the operators of the service issue them.",
  },
  plan_forbidden: {
    status: 403,
    meaning: "The plan does not include this endpoint, or a position in `since` that it was not given.",
    remedy: "Ask the operators of the service for another plan; `/usage` shows yours.",
  },
  forbidden: {
    status: 403,
    meaning: "Pages of this `Origin` may not send requests to `/mcp`.",
    remedy: "Ask the operators of the service to add the origin to `TRANCHE_MCP_ORIGINS`. Programs send no `Origin`.",
  },
  not_found: {
    status: 404,
    meaning: "There is no such endpoint, or no such record.",
    remedy:
      "Check the path; ids are case-sensitive. `details` may suggest the closest records. All endpoints are listed at /docs.",
  },
  method_not_allowed: {
    status: 405,
    meaning: "The API is read-only.",
    remedy: "Use one of the methods that the `Allow` header names.",
  },
  not_acceptable: {
    status: 406,
    meaning: "The `Accept` header asks for a format that this endpoint does not have.",
    remedy:
      "Ask for application/json; the lists also offer text/csv and application/x-ndjson, and exports only these two.",
  },
  request_timeout: {
    status: REQUEST_FAULTS.request_timeout,
    meaning: "The request took longer than 10 seconds to arrive, or its headers longer than 5.",
    remedy: "Send it again; a slow network or a proxy in between may be the cause.",
  },
  position_expired: {
    status: 410,
    meaning:
      "The position or the time in `since` is too old: removals since then are no longer kept, the data was restored, or nobody noted where the feed was at that time.",
    remedy: "Begin again with `since=start`, and replace your copy by the rows that you read from there.",
  },
  payload_too_large: {
    status: 413,
    meaning: "The body of a request to `/mcp` is larger than 64 KiB.",
    remedy: "Send fewer or shorter arguments.",
  },
  uri_too_long: {
    status: REQUEST_FAULTS.uri_too_long,
    meaning: "The URL is longer than 8 KiB.",
    remedy: "Ask for fewer list items in one request.",
  },
  rate_limited: {
    status: 429,
    meaning:
      "Too many requests within 60 seconds, a third export while two of the account are running, an eleventh request that waits for changes, or a fifth search by name or statistic at once.",
    remedy: "Wait for as many seconds as the `Retry-After` header says, or until one of the others has ended.",
  },
  quota_exceeded: {
    status: 429,
    meaning: "The requests of this calendar month (UTC) are used up, or fewer are left than this request costs.",
    remedy:
      "Narrow a request that costs more than one with filters. Wait for the next month (`Retry-After` gives the seconds until then), or ask the operators of the service for a larger plan.",
  },
  header_fields_too_large: {
    status: REQUEST_FAULTS.header_fields_too_large,
    meaning: "The request headers are larger than 16 KiB.",
    remedy: "Send fewer or shorter headers; cookies are not needed.",
  },
  internal_error: {
    status: 500,
    meaning: "Something went wrong here. It was logged with the request id.",
    remedy: "Try again later; if it persists, report the request id.",
  },
  unavailable: {
    status: 503,
    meaning: "The answer can't be given in full at the moment, so none is given.",
    remedy: "Try again after as many seconds as the `Retry-After` header says.",
  },
} as const);

export type ErrorCode = keyof typeof ERRORS;

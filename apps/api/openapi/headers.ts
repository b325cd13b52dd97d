import type { JsonSchema } from "./schemas.ts";

const header = (description: string, type: string, example: string | number) => ({
  description,
  schema: { type },
  example,
});

/** Response headers, as OpenAPI shows them. */
export const HEADERS = Object.freeze({
  "X-Request-Id": header(
    "Id of the request, for questions about it; your own if you sent one.",
    "string",
    "req_5f0c6a",
  ),
  ETag: header(
    "Identifies this response; send it back as `If-None-Match`.",
    "string",
    'W/"xXGbj513kzl8TsdBN5k2UYFQNz4"',
  ),
  "Cache-Control": header(
    "Callers may store the response, but must revalidate it before using it again.",
    "string",
    "private, no-cache",
  ),
  Vary: header(
    "Request headers that the response depends on.",
    "string",
    "Accept, Accept-Encoding, Authorization, Prefer",
  ),
  Link: header(
    "URLs of the first, previous and next page (RFC 8288). A request with a cursor gets the next page by cursor, and no previous one.",
    "string",
    '</api/v1/funding?offset=10>; rel="next"',
  ),
  "Preference-Applied": header("The preference that was applied (RFC 7240).", "string", "handling=strict"),
  "X-Total-Count": header(
    "Number of all matching rows. Only in CSV and NDJSON responses and exports; JSON has it in `pagination`.",
    "integer",
    1234,
  ),
  "X-Changes-Since": header(
    "Of exports of rounds and of companies by signal: the position in the feed of changes from which to continue. Send it as `since`, with the same filters.",
    "string",
    "ZVq3o1x0b7mC2kQkq1Xe",
  ),
  "X-Next-Cursor": header(
    "The cursor of the next page; absent at the end. Only in CSV and NDJSON responses; JSON has it in `pagination`.",
    "string",
    "AY72WLzLqNJOwYRS5m1oYXQyMDEzLTA1LTAxAHJuZC1jYi1uYXRlcmEtMjAxMy0wNS0wMS0x",
  ),
  "Content-Disposition": header(
    "The name of the file. Only in CSV exports.",
    "string",
    'attachment; filename="funding-2025-03-24.csv"',
  ),
  "X-Warnings": header(
    "Warnings as JSON. Only in CSV and NDJSON responses; JSON has them in `warnings`.",
    "string",
    "[]",
  ),
  "RateLimit-Policy": header("The two limits of the plan.", "string", '"burst";q=300;w=60, "month";q=100000;w=2678400'),
  RateLimit: header(
    "What is left of both limits, and the seconds until more becomes available.",
    "string",
    '"burst";r=299;t=60, "month";r=99999;t=604800',
  ),
  "X-RateLimit-Limit": header("Requests allowed in any 60 seconds.", "integer", 300),
  "X-RateLimit-Remaining": header("Requests left in the current 60 seconds.", "integer", 299),
  "X-RateLimit-Reset": header(
    "When the oldest request no longer counts, in seconds since 1970.",
    "integer",
    1_742_810_464,
  ),
  "Retry-After": header("Seconds to wait before trying again.", "integer", 2),
  "WWW-Authenticate": header("How to authenticate.", "string", 'Bearer realm="Tranche"'),
});

/** On every reply to a valid key. */
export const LIMIT_HEADERS: readonly string[] = [
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];

export const headerRefs = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

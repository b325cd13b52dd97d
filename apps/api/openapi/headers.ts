const header = (description: string, type: string, example: string | number) => ({
  description,
  schema: { type },
  example,
});

/** Headers of replies, as OpenAPI shows them. */
export const HEADERS = Object.freeze({
  "X-Request-Id": header(
    "Id of the request, for questions about it; your own if you sent one.",
    "string",
    "req_5f0c6a",
  ),
  ETag: header("Names this answer; send it back as `If-None-Match`.", "string", 'W/"xXGbj513kzl8TsdBN5k2UYFQNz4"'),
  "Cache-Control": header("May be kept by the caller, and is to be asked for again.", "string", "private, no-cache"),
  Vary: header(
    "Request headers that the answer depends on.",
    "string",
    "Accept, Accept-Encoding, Authorization, Prefer",
  ),
  Link: header(
    "Addresses of the first, previous and next page (RFC 8288).",
    "string",
    '</api/v1/funding?offset=10>; rel="next"',
  ),
  "Preference-Applied": header("The preference that was heeded (RFC 7240).", "string", "handling=strict"),
  "X-Total-Count": header(
    "Number of all matching rows; in CSV and NDJSON, which have no place for it.",
    "integer",
    1234,
  ),
  "X-Warnings": header("Warnings as JSON; in CSV and NDJSON, which have no place for them.", "string", "[]"),
  "RateLimit-Policy": header("The two limits of the plan.", "string", '"burst";q=300;w=60, "month";q=100000;w=2678400'),
  RateLimit: header(
    "What is left of them, and in how many seconds there is more.",
    "string",
    '"burst";r=299;t=60, "month";r=99999;t=604800',
  ),
  "X-RateLimit-Limit": header("Requests in any 60 seconds.", "integer", 300),
  "X-RateLimit-Remaining": header("Requests left of them.", "integer", 299),
  "X-RateLimit-Reset": header(
    "When the oldest of them no longer counts, in seconds since 1970.",
    "integer",
    1_742_810_464,
  ),
  "Retry-After": header("Seconds to wait before the next try.", "integer", 2),
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

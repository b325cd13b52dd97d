import { describe, expect, test } from "vitest";
import { ApiError, invalidParameters, unauthorized, unavailable } from "./api-error.ts";
import { ERRORS, type Problem } from "./catalogue.ts";
import { errorBody } from "@tranche/http/errors/error-body";

const REQUEST = { requestId: "req_1", publicPath: "/tranche" };
const problem = (parameter: string): Problem => ({ parameter, code: "malformed_value", message: "Wrong." });

describe("an error", () => {
  test("has one shape, with the first parameter that is wrong", () => {
    expect(errorBody(invalidParameters([problem("from"), problem("to")]), REQUEST)).toEqual({
      error: {
        code: "invalid_parameter",
        message: "2 problems. The first: Wrong.",
        parameter: "from",
        details: [problem("from"), problem("to")],
        doc_url: "/tranche/docs/errors#invalid_parameter",
        request_id: "req_1",
      },
    });
  });

  test("without details has none", () => {
    expect(Object.keys(errorBody(unauthorized("No API key."), REQUEST).error)).toEqual([
      "code",
      "message",
      "doc_url",
      "request_id",
    ]);
  });

  test("states its only problem, with what is suggested; details have the suggestion apart", () => {
    const { hint, ...rest } = { ...problem("signal"), suggestion: "hiring", hint: "Did you mean 'hiring'?" };
    expect(errorBody(invalidParameters([{ ...rest, hint }]), REQUEST).error).toMatchObject({
      message: "Wrong. Did you mean 'hiring'?",
      parameter: "signal",
      details: [rest],
    });
    expect(JSON.stringify(errorBody(invalidParameters([{ ...rest, hint }]), REQUEST))).not.toContain('"hint"');
  });

  test("lists no more than a hundred problems", () => {
    const problems = Array.from({ length: 5000 }, (_, i) => problem(`p${i}`));
    expect(invalidParameters(problems)).toMatchObject({
      message: "5000 problems. The first: Wrong.",
      details: { length: 100 },
    });
  });

  test("keeps its cause to itself", () => {
    expect(JSON.stringify(errorBody(unavailable(new Error("10.0.0.7 refused")), REQUEST))).not.toContain("10.0.0.7");
  });

  test("takes its status from the catalogue", () => {
    expect(new ApiError("uri_too_long", "x").status).toBe(414);
    expect(unavailable(undefined)).toMatchObject({ status: 503, headers: { "Retry-After": "2" } });
    expect(unauthorized("x").headers).toHaveProperty("WWW-Authenticate");
  });
});

test("the codes and statuses are those that callers were promised", () => {
  expect(Object.entries(ERRORS).map(([code, { status }]) => `${status} ${code}`)).toEqual([
    "400 invalid_parameter",
    "400 invalid_request",
    "401 unauthorized",
    "403 plan_forbidden",
    "403 forbidden",
    "404 not_found",
    "405 method_not_allowed",
    "406 not_acceptable",
    "408 request_timeout",
    "410 position_expired",
    "413 payload_too_large",
    "414 uri_too_long",
    "429 rate_limited",
    "429 quota_exceeded",
    "431 header_fields_too_large",
    "500 internal_error",
    "503 unavailable",
  ]);
});

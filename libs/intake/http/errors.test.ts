import { errorBody } from "@tranche/http/errors/error-body";
import { PageError } from "@tranche/http/errors/page-error";
import { expect, test } from "vitest";
import { IngestError } from "./errors.ts";

const REQUEST = { requestId: "req_1", publicPath: "/tranche" };

test("an error of /ingest leads to the page that explains its status, and not to the codes of the API", () => {
  const error = new IngestError("invalid_request", "There is no parameter 'foo'.", { parameter: "foo" });
  expect(errorBody(error, REQUEST).error.doc_url).toBe("/tranche/docs/run/ingest#over-http");
});

test("an error of a page leads nowhere: no page of the docs has its code", () => {
  expect(errorBody(new PageError("signed_out", "Sign in."), REQUEST).error).not.toHaveProperty("doc_url");
});

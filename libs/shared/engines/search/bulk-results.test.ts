import type { estypes } from "@elastic/elasticsearch";
import { expect, test } from "vitest";
import { assertNoneFailed, assertWritten } from "./bulk-results.ts";

test("a newer version that is already there is not a refusal", () => {
  expect(() => assertWritten(["done", "superseded"], "edges")).not.toThrow();
  expect(() => assertWritten([], "edges")).not.toThrow();
});

test("the error says how many items were refused, and why the first was", () => {
  expect(() => assertWritten(["done", { rejected: "too deep" }, "alias_missing"], "edges")).toThrow(
    "Elasticsearch refused 2 of 3 edges: too deep",
  );
  expect(() => assertWritten(["alias_missing"], "edges")).toThrow(
    "Elasticsearch refused 1 of 1 edges: their index is missing",
  );
});

test("every failed item of the client's answer throws, whatever its action, unless its status is allowed", () => {
  const error = { type: "version_conflict", reason: "another version is there" };
  const answer = {
    items: [{ create: { status: 201 } }, { delete: { status: 404 } }, { index: { status: 409, error } }],
  } as unknown as estypes.BulkResponse;
  expect(() => assertNoneFailed(answer)).toThrow("version_conflict: another version is there");
  expect(() => assertNoneFailed(answer, [409])).not.toThrow();
});

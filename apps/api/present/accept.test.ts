import fc from "fast-check";
import { expect, test } from "vitest";
import { preferredType } from "./accept.ts";

const TYPES = ["application/json", "text/csv", "application/x-ndjson"] as const;
const [JSON_TYPE, CSV, NDJSON] = TYPES;

test.each([
  // Parameters other than the weight say nothing about what is accepted.
  ["application/json; charset=utf-8", JSON_TYPE],
  ["application/json;charset=UTF-16", JSON_TYPE],
  ["application/json;odata=verbose", JSON_TYPE],
  ["application/json; version=1; q=0.5, text/csv;q=0.4", JSON_TYPE],
  ["text/csv;header=present", CSV],
  ["text/csv; charset=utf-8; q=0.9, application/json; q=0.8", CSV],
  ["application/x-ndjson; charset=utf-8", NDJSON],
  ["*/*; charset=utf-8", JSON_TYPE],
  ["text/*;level=1", CSV],
  // A quoted value may contain what separates elsewhere.
  ['text/csv; x="a,b;q=0", application/json;q=0.1', CSV],
  [String.raw`text/csv; x="a\",b;q=0"; q=1`, CSV],
  ['text/csv; x="never closed, application/json', CSV],
  // Weights.
  ["application/json;q=0.2, text/csv;q=0.9", CSV],
  ["application/json;q=.2, text/csv;q=.1", JSON_TYPE],
  ["application/json; Q=0.1, text/csv; q=0.2", CSV],
  ["text/csv;q=abc, application/json;q=0.9", CSV],
  ["*/*, application/json;q=0", CSV],
  ["*/*, application/*;q=0", CSV],
  ["application/*;q=0.1, */*;q=0.05", JSON_TYPE],
  ["*/*;q=0", undefined],
  ["application/json;charset=utf-8;q=0, text/csv;q=0, application/x-ndjson;q=0, */*", undefined],
  // The more precise range decides for its type, whatever its weight; of equal ranges the heavier.
  ["application/json;q=0.1, application/*, text/csv;q=0.5", NDJSON],
  ["application/json;version=2;q=0.1, application/json;q=0.7, text/csv;q=0.5", JSON_TYPE],
  // Of equal weights: the whole type, then the first in the header, then the first that is offered.
  ["text/csv, application/json", CSV],
  ["*/*, text/csv", CSV],
  ["text/html, image/gif, *; q=.2, */*; q=.2", JSON_TYPE],
  ["APPLICATION/JSON", JSON_TYPE],
  ["", undefined],
  [" , ;q=1,", undefined],
  ["json", undefined],
  ["text/html, image/avif", undefined],
  ["application/json-seq, text/csvx, text", undefined],
])("'%s' prefers %s", (accept, type) => {
  expect(preferredType(accept, TYPES)).toBe(type);
});

test("a header with one acceptable type gives it, whatever parameters stand beside it", () => {
  const token = fc.stringMatching(/^[a-pr-z][\w.+-]{0,8}$/);
  const value = fc.oneof(token, fc.stringMatching(/^"[ -!#-[\]-~]{0,10}"$/));
  const parameters = fc
    .array(fc.tuple(token, value).map(([name, text]) => `;${name}=${text}`))
    .map((all) => all.join(""));
  fc.assert(
    fc.property(
      fc.constantFrom(...TYPES),
      parameters,
      parameters,
      fc.integer({ min: 1, max: 1000 }),
      (type, before, after, q) => {
        expect(preferredType(`text/html${before}, ${type}${before};q=${q / 1000}${after}`, TYPES)).toBe(type);
      },
    ),
  );
});

import { expect, test } from "vitest";
import { namesEtag } from "./validators.ts";

const ETAG = 'W/"json-Yk3-_x"';

test.each([
  ETAG,
  '"json-Yk3-_x"',
  `"other", ${ETAG}, "more"`,
  // As compressing proxies rewrite it.
  'W/"json-Yk3-_x-gzip"',
  '"json-Yk3-_x-gzip"',
  'W/"json-Yk3-_x--gzip"',
  '"json-Yk3-_x;gzip"',
  'W/"json-Yk3-_x-br"',
  '"json-Yk3-_x-zstd"',
  '"other-gzip", "json-Yk3-_x;br"',
])("%s names the ETag", (header) => {
  expect(namesEtag(header, ETAG)).toBe(true);
});

test.each([
  "",
  "*",
  '"json-Yk3"',
  '"x-json-Yk3-_x"',
  "json-Yk3-_x",
  '"json-Yk3-_x-2"',
  '"json-Yk3-_xgzip"',
  '"json-Yk3-_x-gzip-2"',
  '"json-Yk3-_x-gzip',
])("'%s' does not", (header) => {
  expect(namesEtag(header, ETAG)).toBe(false);
});

test("a strong ETag is named in the same ways", () => {
  expect(namesEtag('W/"a1-gzip"', '"a1"')).toBe(true);
});

import { expect, test } from "vitest";
import { publicPath } from "./public-path.ts";

test.each([
  [undefined, ""],
  ["https://api.example.com", ""],
  ["https://api.example.com:8443", ""],
  ["https://data.example.com/tranche", "/tranche"],
  ["https://data.example.com/a/ü", "/a/%C3%BC"],
])("the path of %s is '%s'", (url, path) => {
  expect(publicPath({ TRANCHE_PUBLIC_URL: url })).toBe(path);
});

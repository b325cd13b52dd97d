import { expect, test } from "vitest";
import { keyOfArguments } from "./asked.ts";
import { TOOLS } from "./tools.ts";

const key = (json: string) => keyOfArguments(TOOLS["list_rounds"]!, JSON.parse(json) as Record<string, unknown>);

test("arguments that ask for the same have the same key, others have not", () => {
  expect(key('{"country":["US"],"limit":5}')).toBe(key('{ "country": ["US"], "limit": 5 }'));
  expect(key('{"limit":5}')).not.toBe(key('{"limit":6}'));
});

test.each([
  ["an object", '{"limit":{}}'],
  ["a nested list", '{"country":[["US"]]}'],
  // JSON.stringify writes it as null, which means that the argument was not given.
  ["a number without an end", '{"min_amount_usd":1e999}'],
])("%s has none", (_, json) => expect(key(json)).toBeUndefined());

import { expect, test } from "vitest";
import { messageOf } from "./message.ts";

const call = (given: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"usage","arguments":${given}}}`;

test.each(["null", "1", '"text"', '{"method":"tools/call","params":"text"}', '{"method":"tools/call"}', call("{}")])(
  "%s is a message, whatever it says",
  (body) => expect(messageOf(body)).toEqual(JSON.parse(body)),
);

test("what is no JSON is none", () => expect(messageOf("{")).toBeUndefined());

test.each([
  ["[]", "The body is an array"],
  [call("[]"), '"arguments" has to be an object'],
  [call("null"), '"arguments" has to be an object'],
  [call('"limit"'), '"arguments" has to be an object'],
  [call('{"__proto__":{"limit":5}}'), "No tool has an argument '__proto__'"],
])("%s is refused in words", (body, words) => expect(() => messageOf(body)).toThrow(words));

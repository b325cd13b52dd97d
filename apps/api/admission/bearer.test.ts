import { expect, test } from "vitest";
import { bearerKey } from "./bearer.ts";

test.each(["Bearer abc", "bearer abc", "BEARER   abc", " Bearer abc "])("'%s' has a key", (header) => {
  expect(bearerKey(header)).toBe("abc");
});

test.each([undefined, "", " ", "Bearer", "Bearer ", "Basic abc", "abc", "Bearerabc"])("'%s' has none", (header) => {
  expect(() => bearerKey(header)).toThrow(expect.objectContaining({ code: "unauthorized" }) as Error);
});

import { expect, test } from "vitest";
import { bearerKey } from "./credentials.ts";

test.each(["Bearer abc", "bearer abc", "BEARER   abc"])("the header '%s' has a key", (header) => {
  expect(bearerKey(header)).toBe("abc");
});

test.each(["", " ", "Bearer", "Bearer ", "Basic abc", "abc", "Bearerabc", "\u00a0Bearer abc"])(
  "the header '%s' has no key",
  (header) => {
    expect(() => bearerKey(header)).toThrow(expect.objectContaining({ code: "unauthorized" }) as Error);
  },
);

test("a no-break space is part of the key, which makes the key wrong", () => {
  expect(bearerKey("Bearer abc\u00a0")).toBe("abc\u00a0");
});

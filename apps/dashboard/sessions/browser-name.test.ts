import { expect, test } from "vitest";
import { browserName } from "./browser-name.ts";

test("a browser is named in words", () => {
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const safari =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
  expect([firefox, safari, "curl/8.5.0"].map(browserName)).toEqual(["Firefox on Linux", "Safari on iOS", "curl"]);
});

test("anything may be in the header", () => {
  expect(browserName("")).toBe("Unknown browser");
  expect(browserName("/")).toBe("Unknown browser");
  expect(browserName("x".repeat(300)).length).toBe(80);
});

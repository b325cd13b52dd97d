import { expect, test } from "vitest";
import { isRegistered, mayRedirectTo, redirectWith, shownTarget } from "./redirects.ts";

test.each([
  "https://assistant.example/back",
  "https://assistant.example:8443/back?kept=1",
  "http://127.0.0.1/back",
  "http://localhost:5173/back",
  "http://[::1]:1/back",
  "cursor://anysphere.cursor-retrieval/oauth/back",
  "com.example.app:/back",
])("a code may be sent to %s", (uri) => expect(mayRedirectTo(uri)).toBe(true));

test.each([
  "http://assistant.example/back",
  "http://127.0.0.1.evil.example/back",
  "http://127.0.0.1:80@evil.example/back",
  "https://user@assistant.example/back",
  "https://assistant.example/back#part",
  "https://assistant.example\\@evil.example/",
  "https://assistant.example/back\n",
  "javascript:alert(1)",
  "javascript://example.com/%0aalert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "blob:https://a.example/1",
  "assistant.example/back",
  `https://assistant.example/${"x".repeat(2000)}`,
])("and not to %s", (uri) => expect(mayRedirectTo(uri)).toBe(false));

test("redirects match exactly, and loopback with any port", () => {
  const own = ["https://assistant.example/back", "http://127.0.0.1:3334/back", "http://localhost/"];
  for (const uri of [
    "https://assistant.example/back",
    "http://127.0.0.1/back",
    "http://127.0.0.1:60000/back",
    "http://localhost:1",
  ]) {
    expect(isRegistered(uri, own), uri).toBe(true);
  }
  for (const uri of [
    "https://assistant.example/back/",
    "https://assistant.example/back?x=1",
    "https://assistant.example:8443/back",
    "https://ASSISTANT.example/back",
    "https://assistant.example.evil.example/back",
    "http://127.0.0.1:3334/other",
    "http://[::1]:3334/back",
    "http://localhost:3334/back",
    "http://127.0.0.1:3334@evil.example/back",
  ]) {
    expect(isRegistered(uri, own), uri).toBe(false);
  }
});

test("people see where a code goes", () => {
  expect(shownTarget("https://xn--80ak6aa92e.example/back")).toBe("xn--80ak6aa92e.example");
  expect(shownTarget("http://localhost:1/back")).toBe("a program on this computer");
  expect(shownTarget("cursor://x/y")).toBe("the program for cursor: links on this computer");
});

test("an answer keeps what the redirect has", () => {
  expect(redirectWith("https://a.example/b?c=d", { code: "x y", state: undefined, iss: "https://e.example" })).toBe(
    "https://a.example/b?c=d&code=x+y&iss=https%3A%2F%2Fe.example",
  );
});

import { expect, test } from "vitest";
import { problemOfUrl } from "./webhook-url.ts";

const own = ["https://api.example.com", "not a URL"];

test.each([
  ["not a url", "is not a URL"],
  ["http://example.com/hook", "begins with http://"],
  ["http://127.0.0.1:8080/hook", "TRANCHE_WEBHOOK_TARGETS=any"],
  ["ftp://example.com/hook", "begins with ftp://"],
  ["https://user:secret@example.com/", "credentials"],
  ["https://example.com/#part", "after '#'"],
  ["https://example.com:8080/", "port 8080"],
  ["https://127.0.0.1/", "127.0.0.1 is not a public one (loopback)"],
  ["https://2130706433/", "127.0.0.1 is not a public one (loopback)"],
  ["https://0x7f.1/", "loopback"],
  ["https://[::ffff:10.0.0.1]/", "ipv4Mapped"],
  ["https://api.example.com/x", "the service itself"],
  ["https://api.example.com./x", "the service itself"],
  ["https://127.0.0.1./", "loopback"],
  [`https://example.com/${"x".repeat(2000)}`, "longer than 2000"],
])("%s is refused", (url, problem) => {
  expect(problemOfUrl(url, { targets: "public", own })).toContain(problem);
});

test("public receivers are taken, and others for development", () => {
  for (const url of ["https://example.com/hook?x=1", "https://example.com:8443/", "https://1.1.1.1/"]) {
    expect(problemOfUrl(url, { targets: "public", own })).toBeUndefined();
  }
  expect(problemOfUrl("http://127.0.0.1:9000/", { targets: "any", own })).toBeUndefined();
  expect(problemOfUrl("ftp://127.0.0.1/", { targets: "any", own })).toContain("ftp://");
});

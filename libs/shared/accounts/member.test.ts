import { expect, test } from "vitest";
import { emailOf } from "./member.ts";

test.each([
  "ada@example.com",
  "o'brien+list@mail.example.co.uk",
  "ADA@localhost ",
  "jörg@bücher.example",
  "a_b-c.d@x-1.example",
])("%s is an e-mail address", (text) => expect(emailOf(text)).toBe(text.trim().toLowerCase()));

test.each([
  "nobody",
  "@example.com",
  "ada@",
  "ada@example.com, bob@example.com",
  "https//evil.example/login?a=b&@example.com",
  "evil.example/login@example.com",
  "evil.example?a@example.com",
  "a:b@example.com",
  "ada@evil.example/login",
  "ada@-example.com",
  `${"x".repeat(65)}@example.com`,
  `ada@${"x".repeat(254)}`,
])("%s is none", (text) => expect(emailOf(text)).toBeUndefined());

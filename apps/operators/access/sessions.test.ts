import { expect, test } from "vitest";
import { readSession, signedSession } from "./sessions.ts";

const TOKEN = "a-token-of-the-operators";
const NOW = Date.parse("2025-06-15T12:00:00Z");
const session = { id: "0123456789abcdef", expires: NOW + 1000 };
const value = signedSession(session, TOKEN);

test("a signed session is read until it expires", () => {
  expect(readSession(value, TOKEN, NOW)).toEqual(session);
  expect(readSession(value, TOKEN, NOW + 1000)).toBeUndefined();
});

test("nothing else is a session: another token, a later expiry, another id, a cut or empty value", () => {
  const [expires, id, signature] = value.split(".") as [string, string, string];
  for (const forged of [
    `${Number(expires) + 1}.${id}.${signature}`,
    `${expires}.fedcba9876543210.${signature}`,
    `${expires}.${id}.${"A".repeat(43)}`,
    `${expires}.${id}`,
    `${value}x`,
    "",
    undefined,
  ])
    expect(readSession(forged, TOKEN, NOW)).toBeUndefined();
  expect(readSession(value, `${TOKEN}s`, NOW)).toBeUndefined();
});

test("the value does not contain the token", () => {
  expect(value).not.toContain(TOKEN);
});

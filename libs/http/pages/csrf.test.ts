import type { Context } from "koa";
import { expect, test } from "vitest";
import { assertCsrfToken, csrfTokenOf } from "./csrf.ts";

const DASHBOARD = "the dashboard";
const sending = (header: string) => ({ get: () => header }) as unknown as Context;

test("a CSRF token differs from its secret, from that of another secret, and from that of another site", () => {
  const tokens = [csrfTokenOf("a", DASHBOARD), csrfTokenOf("b", DASHBOARD), csrfTokenOf("a", "the operators' pages")];
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  expect(new Set(tokens).size).toBe(3);
});

test("a request without the token, or with another one, is refused", () => {
  const token = csrfTokenOf("a", DASHBOARD);
  expect(() => assertCsrfToken(sending(token), token)).not.toThrow();
  for (const header of ["", token.slice(1), csrfTokenOf("b", DASHBOARD)])
    expect(() => assertCsrfToken(sending(header), token)).toThrow(
      expect.objectContaining({ code: "csrf_failed", status: 403 }),
    );
});

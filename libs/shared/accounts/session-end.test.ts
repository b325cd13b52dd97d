import { expect, test } from "vitest";
import { endOfSession, latestEnd } from "./session-end.ts";

const created_at = "2025-06-01T12:00:30.000Z";
const expires_at = latestEnd(Date.parse(created_at));

test("a session ends after 14 days, or after 7 without use", () => {
  expect(expires_at).toBe("2025-06-15T12:00:30.000Z");
  expect(endOfSession({ created_at, expires_at })).toBe("2025-06-08T12:00:30.000Z");
  expect(endOfSession({ created_at, expires_at, last_used_at: "2025-06-08T12:01:00.000Z" })).toBe(expires_at);
  expect(endOfSession({ created_at, expires_at, last_used_at: "2025-06-05T09:30:00.000Z" })).toBe(
    "2025-06-12T09:30:00.000Z",
  );
});

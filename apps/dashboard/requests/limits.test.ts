import { expect, test } from "vitest";
import { createLimits } from "./limits.ts";
import { createRequestsConnection } from "./redis.ts";

test("while Redis is away, a process counts for itself", async () => {
  // A port that nobody listens on. The connection is lazy, so nothing is tried either.
  const redis = createRequestsConnection("redis://127.0.0.1:1", undefined);
  const limits = createLimits(redis, "test");
  for (let n = 0; n < 5; n++) await limits.spend("mails_to", "ada@example.com");
  await expect(limits.spend("mails_to", "ada@example.com")).rejects.toMatchObject({
    code: "too_many_requests",
    headers: { "Retry-After": "900" },
  });
  await limits.spend("mails_to", "bob@example.com");
  redis.disconnect();
});

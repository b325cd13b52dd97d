import { expect, test } from "vitest";
import { newApiKey } from "../accounts/api-key.ts";
import { withoutSecrets } from "./logger.ts";

test("an API key is cut out of a line, wherever it is", () => {
  const key = newApiKey("0aB1cD2e");
  const line = JSON.stringify({ url: `/api/v1/funding?key=${key}`, err: { message: `no such key ${key}` } });
  expect(withoutSecrets(line)).not.toContain(key.slice(13, 30));
  expect(withoutSecrets(line)).toContain("/api/v1/funding?key=trn_[redacted]");
});

test("credentials are cut out of addresses, and addresses without any are left as they are", () => {
  expect(withoutSecrets("https://elastic:pa$$w0rd@search:9200/x")).toBe("https://[redacted]@search:9200/x");
  expect(withoutSecrets("redis://:secret@redis:6379")).toBe("redis://[redacted]@redis:6379");
  expect(withoutSecrets("http://search:9200/a@b")).toBe("http://search:9200/a@b");
});

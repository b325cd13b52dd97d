import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "webhook.key";

/** The key of webhooks' secrets in a home, as base64. It is made at the first start, because the secrets outlive a start. */
export function webhookKey(home: string): string {
  const file = join(home, FILE);
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

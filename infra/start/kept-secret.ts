import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A secret in a file of the home, for its owner alone. It is made at the first start, because people and data rely on it afterwards. */
function keptSecret(home: string, name: string, make: () => string): string {
  const file = join(home, name);
  if (!existsSync(file)) writeFileSync(file, `${make()}\n`, { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

/** The key of webhooks' secrets, as base64. */
export const webhookKey = (home: string): string =>
  keptSecret(home, "webhook.key", () => randomBytes(32).toString("base64"));

/** The token that signs in to the operators' pages. */
export const operatorToken = (home: string): string =>
  keptSecret(home, "operator.token", () => randomBytes(24).toString("base64url"));

/** Where `ops demo-account` keeps the demo account's key. */
export const demoKeyFile = (home: string): string => join(home, "demo.key");

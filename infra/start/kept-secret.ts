import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { keptPrivate } from "@tranche/shared/process/private-file";

/** A secret of the home, made at the first start, because people and data rely on it afterwards. */
const keptSecret = (home: string, name: string, bytes: number, encoding: "base64" | "base64url"): string =>
  keptPrivate(join(home, name), () => randomBytes(bytes).toString(encoding));

/** The key of webhooks' secrets, as base64. */
export const webhookKey = (home: string): string => keptSecret(home, "webhook.key", 32, "base64");

/** The token that signs in to the operators' pages. */
export const operatorToken = (home: string): string => keptSecret(home, "operator.token", 24, "base64url");

/** Where `ops demo-account` keeps the demo account's key. */
export const demoKeyFile = (home: string): string => join(home, "demo.key");

import { createHmac } from "node:crypto";

/**
 * What a receiver answers a challenge with: its HMAC-SHA256 in base64, whose key is the bytes of the secret, as in signatures. Whoever only
 * sends back what comes in cannot make it.
 */
export function challengeAnswer(secret: string, challenge: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return createHmac("sha256", key).update(challenge).digest("base64");
}

import { expect, test } from "vitest";
import { challengeAnswer } from "./challenge-answer.ts";

test("the answer is the HMAC-SHA256 of the challenge with the bytes of the secret", () => {
  // RFC 4231, test case 2: the key "Jefe".
  const secret = `whsec_${Buffer.from("Jefe").toString("base64")}`;
  const hex = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  expect(challengeAnswer(secret, "what do ya want for nothing?")).toBe(Buffer.from(hex, "hex").toString("base64"));
});

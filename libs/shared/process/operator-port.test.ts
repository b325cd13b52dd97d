import { expect, test } from "vitest";
import { assertOperatorPortIsClosed } from "./operator-port.ts";

const RANDOM = "b3b0c44298fc1c149afb4c8996fb92427ae41e4649b934ca";

const faultOf = (TRANCHE_OPERATOR_HOST: string, TRANCHE_OPERATOR_TOKEN?: string): string => {
  try {
    assertOperatorPortIsClosed({ TRANCHE_OPERATOR_HOST, TRANCHE_OPERATOR_TOKEN });
    return "none";
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  [undefined, "TRANCHE_OPERATOR_TOKEN is not set. Set it to"],
  ["a", "TRANCHE_OPERATOR_TOKEN is too short (1 of at least 20 characters). Set it to"],
  [RANDOM.slice(0, 19), "is too short (19 of"],
  ["replace-me", "TRANCHE_OPERATOR_TOKEN is the text of an example, which everybody knows"],
  ["replace-me-replace-me-replace-me", "is the text of an example"],
  ["CHANGE_ME_CHANGE_ME_CHANGE_ME", "is the text of an example"],
  ["the-operators-token-of-production", "is the text of an example"],
  ["0".repeat(64), "is the text of an example"],
])("beyond loopback the port does not open with the token %j", (token, fault) => {
  for (const host of ["0.0.0.0", "::", "10.1.2.3", "metrics.internal"]) {
    expect(faultOf(host, token)).toContain(`TRANCHE_OPERATOR_HOST is '${host}'`);
    expect(faultOf(host, token)).toContain(fault);
    if (token) expect(faultOf(host, token)).not.toContain(`'${token}'`);
  }
});

test("it opens with a random token of 20 characters, and on loopback with any or none", () => {
  for (const token of [RANDOM, RANDOM.slice(0, 20)]) expect(faultOf("0.0.0.0", token)).toBe("none");
  for (const token of [undefined, "a", "replace-me"]) expect(faultOf("127.0.0.1", token)).toBe("none");
});

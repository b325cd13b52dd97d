import { expect, test } from "vitest";
import { unauthorized } from "../errors/api-error.ts";
import { createBadKeys, network } from "./bad-keys.ts";

test("an IPv4 address, or the first 64 bits of an IPv6 address in any notation, is one network", () => {
  expect(network("203.0.113.7")).toBe("203.0.113.7");
  expect(network("::ffff:203.0.113.7")).toBe("203.0.113.7");
  const same = ["2001:db8::1", "2001:0db8:0:0:ffff::2", "2001:db8:0:0:1:2:3:4", "2001:DB8::5%eth0"];
  expect(new Set(same.map(network))).toEqual(new Set(["2001:db8:0:0::/64"]));
  expect(network("2001:db8:0:1::1")).toBe("2001:db8:0:1::/64");
  expect(network("::1")).toBe("0:0:0:0::/64");
});

test("60 bad keys of an address get their own refusal, further ones get rate_limited", async () => {
  const badKeys = createBadKeys();
  const refusal = unauthorized("No such API key.");
  for (let n = 0; n < 59; n++) expect(await badKeys.refuse("203.0.113.7", refusal)).toBe(refusal);
  expect(await badKeys.tooManyFrom("203.0.113.7")).toBeUndefined();
  expect(await badKeys.refuse("203.0.113.7", refusal)).toBe(refusal);
  const after = await badKeys.refuse("203.0.113.7", refusal);
  expect(after).toMatchObject({ code: "rate_limited", status: 429, headers: { "Retry-After": "60" } });
  expect(await badKeys.tooManyFrom("203.0.113.7")).toMatchObject({ code: "rate_limited" });
  expect(await badKeys.tooManyFrom("203.0.113.8")).toBeUndefined();
});

test("an unknown key is remembered", () => {
  const badKeys = createBadKeys();
  badKeys.noteUnknown("a");
  expect([badKeys.isUnknown("a"), badKeys.isUnknown("b")]).toEqual([true, false]);
});

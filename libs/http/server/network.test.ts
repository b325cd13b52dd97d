import { expect, test } from "vitest";
import { network } from "./network.ts";

test("an IPv4 address, or the first 64 bits of an IPv6 address in any notation, is one network", () => {
  expect(network("203.0.113.7")).toBe("203.0.113.7");
  expect(network("::ffff:203.0.113.7")).toBe("203.0.113.7");
  const same = ["2001:db8::1", "2001:0db8:0:0:ffff::2", "2001:db8:0:0:1:2:3:4", "2001:DB8::5%eth0"];
  expect(new Set(same.map(network))).toEqual(new Set(["2001:db8:0:0::/64"]));
  expect(network("2001:db8:0:1::1")).toBe("2001:db8:0:1::/64");
  expect(network("::1")).toBe("0:0:0:0::/64");
});

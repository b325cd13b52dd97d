import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { assertPublic, ForbiddenAddress } from "./forbidden-address.ts";

test.each(["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001:800::200e"])(
  "%s is public",
  (address) => {
    expect(() => assertPublic(address)).not.toThrow();
  },
);

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.1.2.3",
  "172.31.255.255",
  "192.168.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "192.0.0.8",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:93.184.216.34",
  "::127.0.0.1",
  "::ffff:0:10.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::a00:1",
  "2002:7f00:1::",
  "2001::1",
  "2001:db8::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "fc00::1",
  "fd12:3456::1",
  "ff02::1",
  "4000::1",
  "localhost",
  "",
])("%s is not", (address) => {
  expect(() => assertPublic(address)).toThrow(ForbiddenAddress);
});

test("addresses of this machine are not, whatever range they are of", () => {
  for (const { address } of Object.values(networkInterfaces()).flatMap((each) => each ?? [])) {
    expect(() => assertPublic(address)).toThrow(ForbiddenAddress);
  }
});

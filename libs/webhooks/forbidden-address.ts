import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** The global addresses of IPv6: translated, mapped, local and reserved ones lie outside, or have a range of their own within. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/** A receiver's address is one that webhooks are not sent to. The message is for its owner. */
export class ForbiddenAddress extends Error {
  override name = "ForbiddenAddress";
}

/** Throws ForbiddenAddress unless an IP address is a public one, and none of this machine's. */
export function assertPublic(address: string): void {
  const range = rangeOf(address);
  if (range !== "unicast") {
    throw new ForbiddenAddress(
      `The receiver's address ${address} is not a public one (${range}). Webhooks go to public addresses only.`,
    );
  }
  if (ownAddresses().has(address)) {
    throw new ForbiddenAddress(`The receiver's address ${address} is one of the service itself.`);
  }
}

function rangeOf(address: string): string {
  if (!ipaddr.isValid(address)) return "not an IP address";
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (parsed.kind() === "ipv4" || range !== "unicast") return range;
  return (parsed as ipaddr.IPv6).match(GLOBAL_IPV6) ? range : "reserved";
}

const ownAddresses = (): ReadonlySet<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []));

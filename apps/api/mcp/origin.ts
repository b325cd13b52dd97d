import type { IncomingMessage } from "node:http";
import { BlockList } from "node:net";

/** Whether pages of an origin may send requests. */
export type AllowsOrigin = (request: IncomingMessage) => boolean;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/**
 * Pages may send requests when they are of this service, of one of the `allowed` origins, or of this machine to this machine. Programs send
 * no Origin, and pass. Without this, a page could reach a service that only its visitor's machine reaches.
 */
export function createAllowsOrigin({
  publicUrl,
  allowed,
}: {
  publicUrl: string | undefined;
  allowed: readonly string[];
}): AllowsOrigin {
  const known = new Set([...allowed, ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin])]);
  return ({ headers, socket }) => {
    const { origin } = headers;
    if (origin === undefined || known.has(origin)) return true;
    // The Host as well: a name of somebody else may lead to this machine.
    return (
      isLoopback(hostOf(origin)) && isLoopback(hostOf(`http://${headers.host}`)) && isLoopback(socket.localAddress)
    );
  };
}

/** The name or address in a URL, without a port; undefined when it is none. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : undefined;
}

function isLoopback(host: string | undefined): boolean {
  if (host === undefined) return false;
  return host === "localhost" || LOOPBACK.check(host.replace(/^::ffff:/, "")) || LOOPBACK.check(host, "ipv6");
}

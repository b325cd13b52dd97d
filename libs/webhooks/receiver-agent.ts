import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Agent, buildConnector } from "undici";
import { assertPublic } from "./forbidden-address.ts";
import type { AllowedTargets } from "./webhook-url.ts";

const CONNECT_WITHIN_MS = 5000;

/** Resolves a name to all its addresses. Rejects when it has none. */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

/**
 * Asks name servers itself. `dns.lookup` would occupy one of Node's few threads for as long as a name server does not answer, and with it
 * hold up everybody else; it also knows names that only this machine's network has.
 */
async function resolveByServers(name: string): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer, n) =>
    answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family: n === 0 ? 4 : 6 })) : [],
  );
  if (addresses.length > 0) return addresses;
  throw (answers[0] as PromiseRejectedResult).reason;
}

/**
 * Connects to receivers. With `public`, addresses are checked after the name is resolved and right before the connection is made, so a name
 * that resolves to something else the next time is checked again; the connection then fails with a ForbiddenAddress. It follows no
 * redirect and uses no proxy, whatever the environment says.
 */
export function receiverAgent(targets: AllowedTargets, resolve: Resolve = resolveByServers): Agent {
  const timeout = CONNECT_WITHIN_MS;
  if (targets === "any") return new Agent({ connect: { timeout } });
  const connect = buildConnector({ timeout, lookup: publicLookup(resolve) });
  return new Agent({
    connect(options, done) {
      try {
        // Nobody looks up what is an address already.
        const host = options.hostname.replace(/^\[|\]$/g, "");
        if (isIP(host) !== 0) assertPublic(host);
      } catch (error) {
        return done(error as Error, null);
      }
      connect(options, (...[error, socket]) => {
        if (error) return done(error, null);
        return checked(socket, done);
      });
    },
  });
}

/** A last look at the other end, before the first byte of a request. */
function checked(socket: Socket, done: buildConnector.Callback): void {
  try {
    assertPublic(socket.remoteAddress ?? "");
    done(null, socket);
  } catch (error) {
    socket.destroy();
    done(error as Error, null);
  }
}

function publicLookup(resolve: Resolve): LookupFunction {
  return (name, options, done) => {
    resolve(name)
      .then((addresses) => {
        for (const { address } of addresses) assertPublic(address);
        const [first] = addresses;
        if (options.all) done(null, addresses);
        else done(null, first!.address, first!.family);
      })
      .catch((error: Error) => done(error, []));
  };
}

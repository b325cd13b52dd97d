import { isLoopback } from "@tranche/shared/process/operator-port";
import type { Middleware } from "koa";
import { HttpError } from "../errors/http-error.ts";
import { isForeign } from "./same-origin.ts";

/**
 * Whether a Host header names an address that the port listens on, or is one of `named`. With DNS rebinding, a browser sends the
 * attacker's host name. The port is ignored, because tunnels and containers change it.
 * @param listening the interface the port listens on
 * @param local the address at which the connection arrived
 */
export function isOwnHost(
  host: string | undefined,
  { listening, local, named }: { listening: string; local: string | undefined; named: readonly string[] },
): boolean {
  const given = host?.toLowerCase() ?? "";
  const [, name] = /^(\[[\da-f:.]+\]|[^\s:[\]/?#@]+)(?::\d{1,5})?$/.exec(given) ?? [];
  if (name === undefined) return false;
  const own = [bracketed(listening), bracketed(local?.replace(/^::ffff:/, "") ?? "")];
  if (isLoopback(listening) || isEverywhere(listening)) own.push("localhost", "127.0.0.1", "[::1]");
  return own.includes(name) || named.includes(name) || named.includes(given);
}

/**
 * Lets in requests whose Host header names an address of the port, and none of other pages. For ports that show nothing but health and
 * metrics. `listening`: the interface; `named`: other names of the port.
 */
export function ownHostOnly({ listening, named }: { listening: string; named: readonly string[] }): Middleware {
  return async (ctx, next) => {
    if (isForeign(ctx.headers)) {
      throw new HttpError("foreign_page", 403, "This request comes from a page of another origin.");
    }
    if (!isOwnHost(ctx.headers.host, { listening, named, local: ctx.socket.localAddress })) {
      const message = "The Host header is not an address of this port. Name it in TRANCHE_OPERATOR_HOSTS.";
      throw new HttpError("wrong_host", 403, message);
    }
    await next();
  };
}

const isEverywhere = (host: string) => host === "0.0.0.0" || host === "::";
const bracketed = (address: string) => (address.includes(":") ? `[${address}]` : address).toLowerCase();

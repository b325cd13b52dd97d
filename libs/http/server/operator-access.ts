import { createHmac } from "node:crypto";
import { isLoopback } from "@tranche/shared/process/operator-port";
import { isSame } from "./same-origin.ts";

/** The accepted kinds of access. Browsers send Basic credentials and cookies by themselves, also for requests of other pages. */
export type Access = "bearer" | "basic" | "cookie";

/** How an Authorization header carries the token: as a bearer token, or as the password of any user. */
export function accessOf(authorization: string | undefined, token: string | undefined): Access | undefined {
  const [, scheme, credentials] = /^(bearer|basic) +(\S+)$/i.exec(authorization?.trim() ?? "") ?? [];
  if (token === undefined || scheme === undefined || credentials === undefined) return undefined;
  if (scheme.toLowerCase() === "bearer") return isSame(credentials, token) ? "bearer" : undefined;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, "base64").toString()) ?? [];
  return password !== undefined && isSame(password, token) ? "basic" : undefined;
}

/** Whether an Authorization header may carry the operators' token, right or wrong. */
export const carriesToken = (authorization: string | undefined): boolean =>
  /^(bearer|basic)\b/i.test(authorization?.trim() ?? "");

/** The token that only our own pages know. It cannot be derived without the operators' token. */
export function csrfTokenOf(token: string): string {
  return createHmac("sha256", token).update("csrf token of the operators' pages").digest("base64url");
}

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

const isEverywhere = (host: string) => host === "0.0.0.0" || host === "::";
const bracketed = (address: string) => (address.includes(":") ? `[${address}]` : address).toLowerCase();

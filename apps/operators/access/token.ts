import { isSame } from "@tranche/http/server/same-origin";

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

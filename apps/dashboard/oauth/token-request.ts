import type { CodeUse, RefreshUse } from "@tranche/shared/accounts/grant";
import { SCOPE } from "@tranche/shared/accounts/oauth-addresses";
import { OAuthError } from "./oauth-error.ts";

/** A request to the token endpoint. */
type TokenRequest = { grant: "code"; use: CodeUse } | { grant: "refresh"; use: RefreshUse };

const VERIFIER = /^[\w.~-]{43,128}$/;

/** Checks the body of a request to the token endpoint. `resource`: the only one. Throws an OAuthError. */
export function readTokenRequest(form: URLSearchParams, resource: string): TokenRequest {
  const optional = (name: string): string | undefined => {
    const values = form.getAll(name);
    if (values.length > 1)
      throw new OAuthError("invalid_request", `The parameter ${name} stands there more than once.`);
    return values[0] || undefined;
  };
  const required = (name: string): string => {
    const value = optional(name);
    if (value === undefined) throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
    return value;
  };
  const type = required("grant_type");
  if (type !== "authorization_code" && type !== "refresh_token") {
    throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
  }
  const secret = ["client_secret", "client_assertion"].find((name) => form.has(name));
  if (secret) throw noSecrets(`The parameter ${secret}`);
  const clientId = required("client_id");
  const given = required("resource");
  if (given !== resource) throw new OAuthError("invalid_target", `resource must be ${resource}`);
  const scope = optional("scope");
  if (scope !== undefined && scope !== SCOPE) throw new OAuthError("invalid_scope", `The only scope is ${SCOPE}.`);
  if (type === "refresh_token") {
    return { grant: "refresh", use: { refreshToken: required("refresh_token"), clientId, resource } };
  }
  const verifier = required("code_verifier");
  if (!VERIFIER.test(verifier)) throw new OAuthError("invalid_request", "code_verifier is not one of RFC 7636.");
  return {
    grant: "code",
    use: { code: required("code"), clientId, redirectUri: required("redirect_uri"), resource, verifier },
  };
}

/** The refusal of a client that identifies itself by a secret: `what` it sent. */
export const noSecrets = (what: string): OAuthError =>
  new OAuthError(
    "invalid_client",
    `${what} is not taken here: clients are public and send client_id and code_verifier.`,
    {
      status: 401,
    },
  );

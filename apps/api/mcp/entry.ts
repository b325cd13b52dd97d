import { handleOfAccessToken } from "@tranche/shared/accounts/api-key";
import { type OAuthAddresses, SCOPE } from "@tranche/shared/accounts/oauth-addresses";
import type { IncomingMessage } from "node:http";
import type { Admit } from "../admission/admit.ts";
import { createCredentialsReader, handleOfKeyOrToken } from "../admission/credentials.ts";
import type { Identify } from "../admission/identify.ts";
import { ApiError } from "../errors/api-error.ts";

const TOKEN_FAULT =
  "This access token does not work: it has expired, or the application was disconnected. Ask for a new one, or connect the application again.";

/**
 * Admission at `/mcp`, which takes access tokens of connected applications beside keys. A refusal says where an application gets one
 * (RFC 9728), unless OAuth is off.
 */
export function admitHere(
  { identify, admit }: { identify: Identify; admit: Admit },
  oauth: OAuthAddresses | undefined,
): Admit {
  const readCredentials = createCredentialsReader(handleOfKeyOrToken);
  return async (request, ...rest) => {
    try {
      await identify(request, readCredentials);
      return await admit(request, ...rest);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "unauthorized") throw error;
      throw challenged(error, request.req, oauth);
    }
  };
}

function challenged(error: ApiError, { headers }: IncomingMessage, oauth: OAuthAddresses | undefined): ApiError {
  const [, sent = ""] = /^bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  const message = handleOfAccessToken(sent) === undefined ? error.message : TOKEN_FAULT;
  if (!oauth) return new ApiError("unauthorized", message, { headers: error.headers });
  const challenge = [
    'Bearer realm="Tranche"',
    ...(sent === "" ? [] : ['error="invalid_token"']),
    `scope="${SCOPE}"`,
    `resource_metadata="${oauth.resourceMetadata}"`,
  ].join(", ");
  return new ApiError("unauthorized", message, { headers: { ...error.headers, "WWW-Authenticate": challenge } });
}

import { SCOPE } from "@tranche/shared/accounts/oauth-addresses";
import { type Client, type FindClient, UnusableClient } from "./client.ts";
import { isRegistered, mayRedirectTo, redirectWith, shownTarget } from "./redirects.ts";

/** A request of an application to be connected, checked. */
type AuthorizeRequest = {
  client: Client;
  redirectUri: string;
  challenge: string;
  resource: string;
  state: string | undefined;
};

/** A request that must not be answered at the redirect, because the client or the redirect is wrong. The message is for people. */
export class UnusableRequest extends Error {
  override name = "UnusableRequest";
}

/** A request that is wrong and whose client may know: the error, and the redirect that says it. */
export type RefusedRequest = { error: string; message: string; client: Client; redirectUri: string; back: string };

const CHALLENGE = /^[\w-]{43}$/;

/** The redirect with the answer to a request. `issuer` tells the client who answers (RFC 9207). */
export const answerAt = (
  { redirectUri, state }: Pick<AuthorizeRequest, "redirectUri" | "state">,
  issuer: string,
  answer: Readonly<Record<string, string>>,
): string => redirectWith(redirectUri, { ...answer, state, iss: issuer });

/** Checks the query string of an authorization address. `own`: the issuer, and the only resource. Throws UnusableRequest. */
export async function readAuthorizeRequest(
  query: string,
  find: FindClient,
  own: { issuer: string; resource: string },
): Promise<AuthorizeRequest | RefusedRequest> {
  const given = new URLSearchParams(query);
  const one = (name: string): string | undefined => {
    const values = given.getAll(name);
    if (values.length > 1) throw new UnusableRequest(`The parameter ${name} stands there more than once.`);
    return values[0] === "" ? undefined : values[0];
  };
  const clientId = one("client_id");
  if (clientId === undefined) throw new UnusableRequest("The parameter client_id is missing.");
  const client = await find(clientId).catch((error: Error) => {
    if (!(error instanceof UnusableClient)) throw error;
    throw new UnusableRequest(error.message, { cause: error });
  });
  const redirectUri = one("redirect_uri");
  if (redirectUri === undefined) throw new UnusableRequest("The parameter redirect_uri is missing.");
  if (!mayRedirectTo(redirectUri) || !isRegistered(redirectUri, client.redirect_uris)) {
    throw new UnusableRequest("redirect_uri is none of the addresses that the application has named.");
  }
  const state = one("state");
  const request = {
    client,
    redirectUri,
    state,
    challenge: one("code_challenge") ?? "",
    resource: one("resource") ?? "",
  };
  const problem = problemOf(request, {
    responseType: one("response_type"),
    method: one("code_challenge_method"),
    mode: one("response_mode"),
    scope: one("scope"),
    resource: own.resource,
  });
  if (!problem) return request;
  const [error, message] = problem;
  const back = answerAt(request, own.issuer, { error, error_description: message });
  return { error, message, client, redirectUri, back };
}

function problemOf(
  { challenge, resource }: AuthorizeRequest,
  given: Record<"responseType" | "method" | "mode" | "scope", string | undefined> & { resource: string },
): [error: string, message: string] | undefined {
  if (given.responseType !== "code") return ["unsupported_response_type", "response_type must be code"];
  if (given.mode !== undefined && given.mode !== "query") return ["invalid_request", "response_mode must be query"];
  if (given.method !== "S256") return ["invalid_request", "code_challenge_method must be S256: PKCE is required"];
  if (!CHALLENGE.test(challenge)) return ["invalid_request", "code_challenge must be a SHA-256 digest as base64url"];
  if (resource !== given.resource) return ["invalid_target", `resource must be ${given.resource}`];
  if (given.scope !== undefined && given.scope !== SCOPE) return ["invalid_scope", `The only scope is ${SCOPE}`];
  return undefined;
}

/** A client as a member sees it: its own name, and where answers go. */
export const shownClient = (client: Client, redirectUri: string) => ({
  name: client.name,
  host: client.host,
  redirect: shownTarget(redirectUri),
});

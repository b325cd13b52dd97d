import { apiUrl } from "../process/api-url.ts";
import { dashboardUrl } from "../process/dashboard-url.ts";
import type { Logger } from "../process/logger.ts";
import type { Settings } from "../process/settings.ts";

/** The path of the resource on the port of the API. */
export const RESOURCE_PATH = "/mcp";
/** The only scope: ask everything at the resource, change nothing. */
export const SCOPE = "read";
const PROTECTED_RESOURCE = "/.well-known/oauth-protected-resource";
const AUTHORIZATION_SERVER = "/.well-known/oauth-authorization-server";

/** Where applications are connected by OAuth. None of it is taken from a request. */
export type OAuthAddresses = {
  /** The address of the dashboard, by which the authorization server is known. */
  issuer: string;
  /** The address that tokens are for. */
  resource: string;
  /** The address of the metadata of the resource. Below the path of the API, so that a proxy passes it on. */
  resourceMetadata: string;
  /** Paths of the metadata of the issuer: at the origin's well-known address, and under the issuer. */
  issuerMetadataPaths: readonly string[];
  /** Paths of the metadata of the resource, as a request has them after a proxy took the path of the API off, or left it. */
  resourceMetadataPaths: readonly string[];
  /** Where applications register themselves; undefined where they can't. */
  registration: string | undefined;
  /** Whether API and dashboard are at one origin, where the API may get the requests for all well-known addresses. */
  isOneOrigin: boolean;
};

type Addresses = Pick<
  Settings,
  | "TRANCHE_DASHBOARD_URL"
  | "TRANCHE_PUBLIC_URL"
  | "TRANCHE_DASHBOARD_PORT"
  | "TRANCHE_API_URL"
  | "TRANCHE_OAUTH_REGISTRATION"
>;

/** The addresses, or why there is no OAuth here, for operators: tokens must not travel as plain text between machines. */
export function oauthAddresses(settings: Addresses): OAuthAddresses | { off: string } {
  const issuer = dashboardUrl(settings);
  const api = apiUrl(settings);
  if (!isSafe(api)) return { off: reason("TRANCHE_PUBLIC_URL", "API", api) };
  if (!isSafe(issuer)) return { off: reason("TRANCHE_DASHBOARD_URL", "dashboard", issuer) };
  const { pathname, origin } = new URL(api);
  const path = pathname.replace(/\/$/, "");
  const dashboard = new URL(issuer);
  return {
    issuer,
    resource: `${api}${RESOURCE_PATH}`,
    resourceMetadata: `${api}${PROTECTED_RESOURCE}${RESOURCE_PATH}`,
    // A proxy takes the path of the service off before a request gets to the dashboard.
    issuerMetadataPaths: [`${AUTHORIZATION_SERVER}${dashboard.pathname}`, `/dashboard${AUTHORIZATION_SERVER}`],
    resourceMetadataPaths: [
      ...new Set([
        PROTECTED_RESOURCE,
        `${PROTECTED_RESOURCE}${RESOURCE_PATH}`,
        `${PROTECTED_RESOURCE}${path}${RESOURCE_PATH}`,
      ]),
    ],
    registration: settings.TRANCHE_OAUTH_REGISTRATION === "on" ? `${issuer}/oauth/register` : undefined,
    isOneOrigin: dashboard.origin === origin,
  };
}

/** The addresses where OAuth is on. Where it is off, the log says why. */
export function oauthIfOn(settings: Addresses, log: Pick<Logger, "warn">): OAuthAddresses | undefined {
  const addresses = oauthAddresses(settings);
  if (!("off" in addresses)) return addresses;
  log.warn({ reason: addresses.off }, "applications can't be connected by OAuth");
  return undefined;
}

const reason = (setting: string, of: string, address: string): string =>
  `the address of the ${of}, ${address}, is neither https nor loopback. Set ${setting} to an https address to have OAuth.`;

/** Whether nobody between the two ends reads what travels there: https, or on one machine. */
function isSafe(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || LOOPBACK.test(hostname);
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** RFC 9728: what the resource says about itself. */
export const resourceMetadata = ({ issuer, resource }: OAuthAddresses) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: [SCOPE],
  bearer_methods_supported: ["header"],
  resource_name: "Tranche",
});

/** RFC 8414: what the authorization server says about itself. What is not named here is off. */
export const issuerMetadata = ({ issuer, registration }: OAuthAddresses) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  ...(registration === undefined ? {} : { registration_endpoint: registration }),
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  scopes_supported: [SCOPE],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

import { newAccessToken, newApiKey, newHandle } from "@tranche/shared/accounts/api-key";
import { oauthAddresses, type OAuthAddresses } from "@tranche/shared/accounts/oauth-addresses";
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import type { Admitted } from "../admission/admit.ts";
import type { CallerRequest } from "../admission/charge.ts";
import type { Credentials } from "../admission/credentials.ts";
import { type ApiError, unauthorized } from "../errors/api-error.ts";
import { admitHere } from "./entry.ts";

const oauth = oauthAddresses({
  TRANCHE_PUBLIC_URL: "https://api.example.com",
  TRANCHE_DASHBOARD_URL: undefined,
  TRANCHE_DASHBOARD_PORT: 3002,
  TRANCHE_API_URL: "http://127.0.0.1:3000",
  TRANCHE_OAUTH_REGISTRATION: "off",
}) as OAuthAddresses;
const METADATA = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"';

const requestWith = (authorization?: string): CallerRequest => ({
  req: {
    headers: authorization === undefined ? {} : { authorization },
    rawHeaders: authorization === undefined ? [] : ["Authorization", authorization],
  } as IncomingMessage,
  ip: "192.0.2.1",
  state: {},
});
/** Reads credentials as admission does, and admits nobody. */
const parts = {
  identify: async ({ req }: CallerRequest, read?: (request: IncomingMessage) => Credentials) => read!(req),
  admit: async (): Promise<Admitted> => {
    throw unauthorized("This API key was revoked.");
  },
};
const refusal = async (of: OAuthAddresses | undefined, authorization?: string) =>
  (await admitHere(parts, of)(requestWith(authorization), () => undefined).catch(
    (error: unknown) => error,
  )) as ApiError;

test("a refusal names the metadata, and an error only where something was sent", async () => {
  expect((await refusal(oauth)).headers["WWW-Authenticate"]).toBe(`Bearer realm="Tranche", scope="read", ${METADATA}`);
  const sent = await refusal(oauth, `Bearer ${newApiKey(newHandle())}`);
  expect(sent.headers["WWW-Authenticate"]).toBe(
    `Bearer realm="Tranche", error="invalid_token", scope="read", ${METADATA}`,
  );
  expect(sent.message).toBe("This API key was revoked.");
});

test("the refusal of an access token speaks of one", async () => {
  expect((await refusal(oauth, `Bearer ${newAccessToken(newHandle())}`)).message).toContain("This access token");
});

test("where OAuth is off, a refusal names nothing", async () => {
  expect((await refusal(undefined)).headers["WWW-Authenticate"]).toBe('Bearer realm="Tranche"');
});

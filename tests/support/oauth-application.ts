import { hash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { OAuthClientProvider, OAuthTokens, StoredOAuthClientInformation } from "@modelcontextprotocol/client";
import { afterAll } from "vitest";
import type { DashboardClient } from "./dashboard-client.ts";

export type TokenReply = {
  status: number;
  headers: Headers;
  body: { access_token: string; refresh_token: string; expires_in: number; error?: string; error_description?: string };
};
/** What somebody sends with a code, to prove who asked for it. */
export type Asked = { url: URL; verifier: string };

/** An application that describes itself at an address of this machine, and what it sends to the dashboard. */
export function oauthApplication({ dashboard, resource }: { dashboard: () => string; resource: () => string }) {
  const redirect = "http://127.0.0.1:4711/back";
  let server: Server | undefined;
  let clientId = "";
  /** Starts to describe itself as `document` says; returns the client_id. Every other address of it is a page with a link to `?to=` and a frame of `?frame=`. */
  const start = async (document: Record<string, unknown> = {}): Promise<string> => {
    server = createServer(({ url = "" }, response) => {
      if (url !== "/client.json") {
        const { searchParams } = new URL(url, clientId);
        const given = (name: string) => (searchParams.get(name) ?? "").replaceAll("&", "&amp;");
        response.setHeader("Content-Type", "text/html");
        const frame = searchParams.has("frame") ? `<iframe src="${given("frame")}"></iframe>` : "";
        return void response.end(`<h1>The assistant</h1><a href="${given("to")}">Connect</a>${frame}`);
      }
      response.setHeader("Content-Type", "application/json");
      const usual = { client_id: clientId, client_name: "Test assistant", redirect_uris: ["http://127.0.0.1/back"] };
      response.end(JSON.stringify({ ...usual, ...document }));
    }).listen(0);
    await once(server, "listening");
    clientId = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`;
    return clientId;
  };
  afterAll(() => server?.close());

  /** The address that asks for a code. */
  const ask = (other: Record<string, string> = {}): Asked => {
    const verifier = randomBytes(32).toString("base64url");
    const url = new URL(`${dashboard()}/oauth/authorize`);
    url.search = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirect,
      code_challenge: hash("sha256", verifier, "base64url"),
      code_challenge_method: "S256",
      resource: resource(),
      scope: "read",
      state: "a state",
      ...other,
    }).toString();
    return { url, verifier };
  };
  const token = async (form: Record<string, string>, headers: Record<string, string> = {}): Promise<TokenReply> => {
    const body = new URLSearchParams(form);
    const response = await fetch(`${dashboard()}/oauth/token`, { method: "POST", body, headers });
    return { status: response.status, headers: response.headers, body: (await response.json()) as TokenReply["body"] };
  };
  const redeem = (code: string, verifier: string, other: Record<string, string> = {}) =>
    token({
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      client_id: clientId,
      redirect_uri: redirect,
      resource: resource(),
      ...other,
    });
  const refresh = (refreshToken: string, other: Record<string, string> = {}) =>
    token({
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      client_id: clientId,
      resource: resource(),
      ...other,
    });
  /** Has a member allow it; returns the code. */
  const codeFrom = async (member: DashboardClient, asked: Asked): Promise<string> =>
    new URL(await decide(member, asked.url)).searchParams.get("code")!;
  /** Has a member allow it; returns its tokens. */
  const connect = async (member: DashboardClient): Promise<TokenReply["body"]> => {
    const asked = ask();
    return (await redeem(await codeFrom(member, asked), asked.verifier)).body;
  };
  return { redirect, start, ask, token, redeem, refresh, codeFrom, connect };
}

/** What a member decides about an authorization address; returns where the browser goes next. */
export async function decide(member: DashboardClient, { search }: URL, allow = true): Promise<string> {
  const { status, body } = await member.ask("POST", "/oauth/decide", { query: search.slice(1), allow });
  if (status !== 200) throw new Error(`deciding failed: ${status} ${JSON.stringify(body)}`);
  return (body as { data: { to: string } }).data.to;
}

/** A provider of the official client that keeps everything in memory. It registers itself unless it has a `clientId`. `visit` gets the authorization address. */
export function memoryProvider(
  clientId: string | undefined,
  redirectUrl: string,
  visit: (url: URL) => void,
): OAuthClientProvider & { kept: OAuthTokens | undefined } {
  let verifier = "";
  let registered: StoredOAuthClientInformation | undefined;
  let discovered: Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>;
  const provider: OAuthClientProvider & { kept: OAuthTokens | undefined } = {
    kept: undefined,
    redirectUrl,
    clientMetadata: { client_name: "Test assistant", redirect_uris: [redirectUrl] },
    clientInformation: (at) =>
      clientId === undefined ? registered : { client_id: clientId, ...(at && { issuer: at.issuer }) },
    saveClientInformation: (information) => void (registered = information),
    tokens: () => provider.kept,
    saveTokens: (tokens) => void (provider.kept = tokens),
    redirectToAuthorization: visit,
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    saveDiscoveryState: (state) => void (discovered = state),
    discoveryState: () => discovered,
  };
  return provider;
}

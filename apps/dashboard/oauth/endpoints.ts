import cors from "@koa/cors";
import { Router } from "@koa/router";
import { formBodies, formOf } from "@tranche/http/server/form-body";
import { jsonBodies } from "@tranche/http/server/json-body";
import { network } from "@tranche/http/server/network";
import { grantOfCode, grantOfRefreshToken } from "@tranche/shared/accounts/api-key";
import type { ClientStore } from "@tranche/shared/accounts/client-store";
import { GrantRefused } from "@tranche/shared/accounts/grant";
import type { GrantStore } from "@tranche/shared/accounts/grant-store";
import { issuerMetadata, type OAuthAddresses, SCOPE } from "@tranche/shared/accounts/oauth-addresses";
import type { Context } from "koa";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Limits } from "../requests/limits.ts";
import { oauthErrors, OAuthError } from "./oauth-error.ts";
import { readRegistration, registrationView } from "./registration.ts";
import { noSecrets, readTokenRequest } from "./token-request.ts";

const TOKEN_PATH = "/dashboard/oauth/token";
const REGISTRATION_PATH = "/dashboard/oauth/register";
/** Wrong codes and refresh tokens that one network may send to one process in a minute. An assistant's servers send those of many people. */
const WRONG = { points: 600, duration: 60 };

/**
 * What clients send themselves, without cookies and so from any origin: requests for the metadata (RFC 8414), for tokens and, where it is on,
 * to be registered (RFC 7591). `grants`: in the name of the applications.
 */
export function oauthEndpoints(
  oauth: OAuthAddresses,
  {
    grants,
    clients,
    limits,
  }: {
    grants: Pick<GrantStore, "redeem" | "refresh">;
    clients: Pick<ClientStore, "register">;
    limits: Pick<Limits, "spend">;
  },
): Router {
  const router = new Router({ sensitive: true });
  const wrong = new RateLimiterMemory(WRONG);
  const shared = cors({ origin: "*", allowMethods: ["GET", "HEAD", "POST"] });

  for (const path of oauth.issuerMetadataPaths) {
    router.all(path, shared, oauthErrors(), (ctx) => {
      allowOnly(ctx, "GET", "HEAD");
      ctx.set("Cache-Control", "public, max-age=300");
      ctx.body = issuerMetadata(oauth);
    });
  }

  router.all(TOKEN_PATH, shared, oauthErrors(), formBodies(), async (ctx) => {
    allowOnly(ctx, "POST");
    ctx.set("Cache-Control", "no-store");
    if (ctx.get("Authorization") !== "") throw noSecrets("The header Authorization");
    const form = formOf(ctx);
    if (!form) throw new OAuthError("invalid_request", "Send the parameters as application/x-www-form-urlencoded.");
    const { grant, use } = readTokenRequest(form, oauth.resource);
    const from = network(ctx.ip);
    await assertMayTry(wrong, from);
    const grantId = grant === "code" ? grantOfCode(use.code) : grantOfRefreshToken(use.refreshToken);
    if (grantId !== undefined) await limits.spend("exchanges_of", grantId);
    const tokens = await (grant === "code" ? grants.redeem(use) : grants.refresh(use)).catch(async (error: Error) => {
      if (error instanceof GrantRefused) await wrong.penalty(from);
      throw error;
    });
    ctx.body = {
      access_token: tokens.accessToken,
      token_type: "Bearer",
      expires_in: tokens.expiresIn,
      refresh_token: tokens.refreshToken,
      scope: SCOPE,
    };
  });

  if (oauth.registration !== undefined) {
    router.all(REGISTRATION_PATH, shared, oauthErrors(), jsonBodies(), async (ctx) => {
      allowOnly(ctx, "POST");
      const given = readRegistration(ctx.request.body);
      await limits.spend("registrations_from", ctx.ip);
      ctx.set("Cache-Control", "no-store");
      ctx.status = 201;
      ctx.body = registrationView(await clients.register(given));
    });
  }
  return router;
}

function allowOnly(ctx: Context, ...methods: string[]): void {
  if (methods.includes(ctx.method)) return;
  const headers = { Allow: methods.join(", ") };
  throw new OAuthError("invalid_request", `This address takes ${methods.join(" and ")} alone.`, {
    status: 405,
    headers,
  });
}

async function assertMayTry(wrong: RateLimiterMemory, from: string): Promise<void> {
  const sent = await wrong.get(from);
  if (!sent || sent.consumedPoints < WRONG.points) return;
  throw new OAuthError("temporarily_unavailable", "Too many wrong codes and tokens come from this IP address.", {
    status: 429,
    headers: { "Retry-After": String(Math.max(1, Math.ceil(sent.msBeforeNext / 1000))) },
  });
}

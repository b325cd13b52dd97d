import type { Router } from "@koa/router";
import type { Context } from "koa";
import { issuerMetadata, type OAuthAddresses, resourceMetadata } from "@tranche/shared/accounts/oauth-addresses";

/** Metadata changes with a setting or a release. */
const CACHE_CONTROL = "public, max-age=300";

/**
 * Where OAuth is on: what the resource `/mcp` says about itself (RFC 9728). Where API and dashboard are at one origin, also what the
 * authorization server says, because the well-known address of the origin leads here.
 */
export function addOAuthMetadata(router: Router, oauth: OAuthAddresses | undefined): void {
  if (!oauth) return;
  const answer = (document: object) => (ctx: Context) => {
    ctx.set("Cache-Control", CACHE_CONTROL);
    ctx.body = document;
  };
  for (const path of oauth.resourceMetadataPaths) router.get(path, answer(resourceMetadata(oauth)));
  if (!oauth.isOneOrigin) return;
  for (const path of oauth.issuerMetadataPaths) router.get(path, answer(issuerMetadata(oauth)));
}

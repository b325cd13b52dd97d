import type Router from "@koa/router";
import { bodyOf } from "@tranche/http/server/json-body";
import { PageError } from "@tranche/http/errors/page-error";
import { z } from "zod";
import {
  answerAt,
  readAuthorizeRequest,
  type RefusedRequest,
  shownClient,
  UnusableRequest,
} from "../oauth/authorize-request.ts";
import { assertActive } from "../sessions/active-account.ts";
import type { DashboardParts } from "./parts.ts";

/** An application that asks to be connected, as a member sees it. `refused`: why it can't be, and the address that tells it so. */
export type ConnectView = {
  /** As the application calls itself. */
  name: string;
  /** The host that describes it; null for one that has registered itself. */
  host: string | null;
  /** Where the answer goes, in words. */
  redirect: string;
  refused: { message: string; back: string } | null;
};
/** Where the browser goes next. */
export type ConnectDecision = { to: string };

const requestBody = z.object({ query: z.string().max(8192) });
const decisionBody = requestBody.extend({ allow: z.boolean() });

/**
 * The request of an application that somebody has followed to the page of the dashboard. Both are POSTs of that page, with its CSRF token: one
 * reads an address that a stranger named, and the other decides.
 */
export function addOAuth(
  router: Router,
  { requireSession, grantsAs, oauth, findClient, clients }: DashboardParts,
): void {
  const read = async (query: string) => {
    if (!oauth) throw new PageError("not_found", "This service connects no applications by OAuth.");
    try {
      return {
        issuer: oauth.issuer,
        resource: oauth.resource,
        request: await readAuthorizeRequest(query, findClient, oauth),
      };
    } catch (error) {
      if (!(error instanceof UnusableRequest)) throw error;
      throw new PageError("invalid_request", error.message, { cause: error });
    }
  };

  router.post("/oauth/look", async (ctx) => {
    await requireSession(ctx);
    const { request } = await read(bodyOf(ctx, requestBody).query);
    const refused = isRefused(request) ? { message: request.message, back: request.back } : null;
    const view: ConnectView = { ...shownClient(request.client, request.redirectUri), refused };
    ctx.body = { data: view };
  });

  router.post("/oauth/decide", async (ctx) => {
    const { account, session, actor, assertStill } = await requireSession(ctx);
    const { query, allow } = bodyOf(ctx, decisionBody);
    const { issuer, resource, request } = await read(query);
    if (isRefused(request)) throw new PageError("invalid_request", request.message);
    if (!allow) {
      ctx.body = { data: { to: answerAt(request, issuer, { error: "access_denied" }) } satisfies ConnectDecision };
      return;
    }
    assertActive(account);
    const { member: email, stamp, by } = session;
    const { redirect_uris: _, ...client } = request.client;
    // One without a host has registered itself.
    if (client.host === null) await clients.used(client.id);
    const code = await grantsAs(actor).allow({
      account: account.account,
      email,
      stamp,
      by,
      client,
      redirect_uri: request.redirectUri,
      challenge: request.challenge,
      resource,
    });
    await assertStill();
    ctx.body = { data: { to: answerAt(request, issuer, { code }) } satisfies ConnectDecision };
  });
}

const isRefused = (request: object): request is RefusedRequest => "error" in request;

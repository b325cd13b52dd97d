import { PageError } from "@tranche/http/errors/page-error";
import { z } from "zod";
import {
  answerAt,
  readAuthorizeRequest,
  type RefusedRequest,
  shownClient,
  UnusableRequest,
} from "../oauth/authorize-request.ts";
import { assertActive } from "../sessions/rights.ts";
import type { DashboardParts } from "./parts.ts";
import { request } from "./requests.ts";

const asBrowsersGotIt = z.object({ query: z.string().max(8192) });
const decision = asBrowsersGotIt.extend({ allow: z.boolean() });

/**
 * The request of an application that somebody has followed to the page of the dashboard. Both are POSTs of that page, with its CSRF token: one
 * reads an address that a stranger named, and the other decides.
 */
export function oauthRequests({ grantsAs, oauth, findClient, clients }: DashboardParts) {
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

  return {
    /** An application that asks to be connected, as a member sees it. `refused`: why it can't be, and the address that tells it so. */
    "POST /oauth/look": request({ role: "developer", body: asBrowsersGotIt }, async ({ body }) => {
      const { request: asked } = await read(body.query);
      const refused = isRefused(asked) ? { message: asked.message, back: asked.back } : null;
      return { ...shownClient(asked.client, asked.redirectUri), refused };
    }),

    /** Where the browser goes next. */
    "POST /oauth/decide": request(
      { role: "developer", body: decision },
      async ({ account, session, actor, assertStill, body: { query, allow } }) => {
        const { issuer, resource, request: asked } = await read(query);
        if (isRefused(asked)) throw new PageError("invalid_request", asked.message);
        if (!allow) return { to: answerAt(asked, issuer, { error: "access_denied" }) };
        assertActive(account);
        const { member: email, stamp, by } = session;
        const { redirect_uris: _, ...client } = asked.client;
        // One without a host has registered itself.
        if (client.host === null) await clients.used(client.id);
        const code = await grantsAs(actor).allow({
          account: account.account,
          email,
          stamp,
          by,
          client,
          redirect_uri: asked.redirectUri,
          challenge: asked.challenge,
          resource,
        });
        await assertStill();
        return { to: answerAt(asked, issuer, { code }) };
      },
    ),
  };
}

const isRefused = (asked: object): asked is RefusedRequest => "error" in asked;

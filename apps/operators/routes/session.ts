import type Router from "@koa/router";
import { bodyOf } from "@tranche/http/server/json-body";
import { isSame } from "@tranche/http/server/same-origin";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { csrfTokenOf } from "@tranche/http/pages/csrf";
import type { OperatorRouteParts } from "./parts.ts";

/** The session of an operator, as the pages see it. */
export type OperatorView = { csrf_token: string; namespace: string; version: string };

const given = z.object({ token: z.string("Enter the operators' token.").max(1000, "This is too long for a token.") });

/** Signing in with the operators' token, and signing out. */
export function addSession(
  router: Router,
  { sessions, token, countWrongToken, installation, version, log }: OperatorRouteParts,
): void {
  router.get("/session", (ctx) => {
    const view: OperatorView = {
      csrf_token: csrfTokenOf(token, "the operators' pages"),
      namespace: installation.settings.TRANCHE_NAMESPACE,
      version,
    };
    ctx.body = { data: view };
  });

  router.post("/sign-in", async (ctx) => {
    const sent = bodyOf(ctx, given).token.trim();
    if (!isSame(sent, token)) {
      await countWrongToken(ctx.ip);
      throw new PageError("wrong_token", "This is not the operators' token.", { parameter: "token" });
    }
    const { expires } = sessions.start(ctx);
    log.info({ address: ctx.ip }, "an operator signed in");
    ctx.status = 201;
    ctx.body = { data: { expires_at: new Date(expires).toISOString() } };
  });

  router.post("/sign-out", (ctx) => {
    sessions.end(ctx);
    ctx.status = 204;
  });
}

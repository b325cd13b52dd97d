import { isSame } from "@tranche/http/server/same-origin";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { csrfTokenOf } from "@tranche/http/pages/csrf";
import { apiUrl } from "@tranche/shared/process/api-url";
import { type OperatorRouteParts, request } from "./parts.ts";

const given = z.object({ token: z.string("Enter the operators' token.").max(1000, "This is too long for a token.") });

/** Signing in with the operators' token, and signing out. */
export function sessionRequests({ sessions, token, countWrongToken, installation, version, log }: OperatorRouteParts) {
  const { settings } = installation;
  return {
    "GET /session": request({}, async () => ({
      csrf_token: csrfTokenOf(token, "the operators' pages"),
      namespace: settings.TRANCHE_NAMESPACE,
      version,
      docs_url: `${apiUrl(settings)}/docs/run`,
    })),

    "POST /sign-in": request({ body: given, status: 201 }, async ({ ctx, body }) => {
      const sent = body.token.trim();
      if (!isSame(sent, token)) {
        await countWrongToken(ctx.ip);
        throw new PageError("wrong_token", "This is not the operators' token.", { parameter: "token" });
      }
      const { expires } = sessions.start(ctx);
      log.info({ address: ctx.ip }, "an operator signed in");
      return { expires_at: new Date(expires).toISOString() };
    }),

    "POST /sign-out": request({}, async ({ ctx }) => sessions.end(ctx)),
  };
}

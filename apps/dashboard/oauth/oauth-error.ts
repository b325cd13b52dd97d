import type { Middleware } from "koa";
import { AccountError } from "@tranche/shared/accounts/account";
import { GrantRefused } from "@tranche/shared/accounts/grant";
import { HttpError } from "@tranche/http/errors/http-error";
import { storeFailure } from "../requests/store-failures.ts";

type OAuthCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_redirect_uri"
  | "invalid_grant"
  | "invalid_target"
  | "invalid_scope"
  | "unsupported_grant_type"
  | "temporarily_unavailable";

/** An error that a client gets, in the shape of RFC 6749. `message` is for its developers. */
export class OAuthError extends Error {
  override name = "OAuthError";
  readonly code: OAuthCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: OAuthCode,
    message: string,
    { status = 400, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

/** Answers errors of endpoints for clients in the shape of RFC 6749. Anything unknown is passed on: a bug of ours, answered as everywhere. */
export function oauthErrors(): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = oauthErrorOf(thrown as Error);
      if (!error) throw thrown;
      ctx.status = error.status;
      ctx.set({ "Cache-Control": "no-store", ...error.headers });
      ctx.body = { error: error.code, error_description: error.message };
    }
  };
}

function oauthErrorOf(error: Error): OAuthError | undefined {
  if (error instanceof OAuthError) return error;
  if (error instanceof GrantRefused) return new OAuthError("invalid_grant", error.message);
  const wait = { "Retry-After": "1" };
  if (error instanceof AccountError)
    return new OAuthError("temporarily_unavailable", error.message, { status: 503, headers: wait });
  if (error instanceof HttpError) {
    if (error.status >= 500) return undefined;
    const code = error.status === 429 ? "temporarily_unavailable" : "invalid_request";
    return new OAuthError(code, error.message, { status: error.status, headers: { ...error.headers } });
  }
  const failed = storeFailure(error);
  return failed && new OAuthError("temporarily_unavailable", failed.message, { status: failed.status, headers: wait });
}

import { createHmac } from "node:crypto";
import type { Context } from "koa";
import { PageError } from "../errors/page-error.ts";
import { isSame } from "../server/same-origin.ts";

const HEADER = "X-CSRF-Token";
const SAFE_METHODS = new Set(["GET", "HEAD"]);

/** Whether a request may change something. */
export const changesSomething = ({ method }: Pick<Context, "method">): boolean => !SAFE_METHODS.has(method);

/**
 * The token that only our own pages know. It can't be derived without `secret`, which scripts never see. `site`: the pages that it is for,
 * so that the token of one site opens nothing on another.
 */
export const csrfTokenOf = (secret: string, site: "the dashboard" | "the operators' pages"): string =>
  createHmac("sha256", secret).update(`csrf token of ${site}`).digest("base64url");

/** Throws `csrf_failed` unless a request carries this CSRF token. */
export function assertCsrfToken(ctx: Context, token: string): void {
  if (isSame(ctx.get(HEADER), token)) return;
  throw new PageError("csrf_failed", `The header ${HEADER} is missing or wrong. Reload the page, and try again.`);
}

import { bodyParser } from "@koa/bodyparser";
import type { Context, Middleware } from "koa";
import type { z } from "zod";
import { DashboardError } from "../errors/dashboard-error.ts";

const LIMIT = "16kb";

/** Reads JSON bodies of up to 16 KiB. Forms are not read, so no page of another site can send one. */
export function jsonBodies(): Middleware {
  return bodyParser({
    enableTypes: ["json"],
    jsonLimit: LIMIT,
    onError(error) {
      const tooLarge = (error as { status?: number }).status === 413;
      throw tooLarge
        ? new DashboardError("too_large", `The request is larger than ${LIMIT}.`)
        : new DashboardError("invalid_request", "The body is not JSON.");
    },
  });
}

/** The body of a request, checked. Throws `invalid_request` that names the first wrong member. */
export function bodyOf<T>(ctx: Context, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(ctx.request.body ?? {});
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new DashboardError("invalid_request", message, { parameter: path.join(".") || "body" });
}

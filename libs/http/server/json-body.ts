import type { Context, Middleware } from "koa";
import type { z } from "zod";
import { HttpError } from "../errors/http-error.ts";
import { parsedBodies } from "./body-parser.ts";

/** Reads JSON bodies of up to 16 KiB. Forms are not read, so no page of another site can send one. */
export const jsonBodies = (): Middleware => parsedBodies("json", "JSON");

/** The body of a request, checked. Throws `invalid_request` that names the first wrong member. */
export function bodyOf<T>(ctx: Context, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(ctx.request.body ?? {});
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  const details = [{ parameter: path.join(".") || "body" }];
  throw new HttpError("invalid_request", 400, message, { details });
}

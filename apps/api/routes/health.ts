import type { Middleware } from "koa";
import { unavailable } from "../errors/api-error.ts";
import type { ApiParts } from "./parts.ts";

/** The process runs. */
export function live(): Middleware {
  return (ctx) => {
    ctx.set("Cache-Control", "no-store");
    ctx.body = { status: "live" };
  };
}

/** The process can answer requests: the engines reply. */
export function ready(parts: Pick<ApiParts, "ready">): Middleware {
  return async (ctx) => {
    await parts.ready().catch((error: unknown) => {
      throw unavailable(error);
    });
    ctx.set("Cache-Control", "no-store");
    ctx.body = { status: "ready" };
  };
}

import { hash } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { openApiDocument } from "../openapi/document.ts";
import type { Content } from "../present/answer.ts";
import { encodedStart } from "../present/encoded-start.ts";
import { send } from "./respond.ts";

/** A Host header: a name or an address, and perhaps a port. */
const HOST = /^(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i;

/**
 * `GET /openapi.json`. Its server is `publicUrl`, otherwise the address that the request came to. Anyone may send any Host, so nothing
 * is kept for an address: the document ends with its server, and all before it is written and compressed once.
 */
export function openApi(endpoints: Endpoints, publicUrl: string | undefined): Middleware {
  const { servers: _, ...document } = openApiDocument(endpoints, "/");
  const start = Buffer.from(JSON.stringify(document).slice(0, -"}".length));
  const digest = hash("sha1", start, "base64url");
  const encodedWith = encodedStart(start);
  const contentFor = (server: string): Content => {
    const end = Buffer.from(`,"servers":${JSON.stringify([{ url: server }])}}`);
    return {
      body: Buffer.concat([start, end]),
      encoded: encodedWith(end),
      type: "json",
      etag: `W/"json-${digest}-${hash("sha1", end, "base64url")}"`,
    };
  };
  return async (ctx) => {
    // Not `public`: a shared cache may not know that the answer depends on the address.
    ctx.set({ "Cache-Control": "private, no-cache", Vary: "Accept-Encoding" });
    await send(ctx, contentFor(publicUrl ?? serverOf(ctx)));
  };
}

/** The address that a request came to; "/" when its Host is none. */
function serverOf(ctx: Context): string {
  return HOST.test(ctx.host) ? `${ctx.protocol}://${ctx.host}` : "/";
}

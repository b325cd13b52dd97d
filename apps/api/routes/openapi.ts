import type { Context, Middleware } from "koa";
import { LRUCache } from "lru-cache";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { openApiDocument } from "../openapi/document.ts";
import { type Content, contentOf } from "../present/answer.ts";
import { send } from "./respond.ts";

/** Stands in the text for the address of the service. It can't be part of any other text of the document. */
const PLACEHOLDER = "\0server";
/** The document is cached for this many Host headers, the least recently used first out, because anyone may send any Host. */
const MAX_CACHED = 8;
/** A Host header: a name or an address, and perhaps a port. */
const HOST = /^(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i;

/** `GET /openapi.json`. Its server is `publicUrl`, otherwise the address that the request came to. */
export function openApi(endpoints: Endpoints, publicUrl: string | undefined): Middleware {
  const text = JSON.stringify(openApiDocument(endpoints, PLACEHOLDER));
  const [before, after] = text.split(JSON.stringify(PLACEHOLDER)) as [string, string];
  const cache = new LRUCache<string, Content>({ max: MAX_CACHED });
  const contentFor = (server: string): Content => {
    const known = cache.get(server);
    if (known) return known;
    const content = contentOf("json", Buffer.from(`${before}${JSON.stringify(server)}${after}`));
    cache.set(server, content);
    // Compressed from the second request on, so a Host that is sent once costs no compression.
    return { ...content, encoded: undefined };
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

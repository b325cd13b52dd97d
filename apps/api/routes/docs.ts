import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type Router from "@koa/router";
import type { Middleware } from "koa";
import { errorsPage } from "../docs/errors-page.ts";
import { referencePage, START_SCRIPT } from "../docs/reference-page.ts";
import { type Content, contentOf } from "../present/answer.ts";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { rawQuery } from "./request.ts";
import { openApi } from "./openapi.ts";
import { send } from "./respond.ts";

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const swaggerFile = (name: string) => readFileSync(join(SWAGGER_UI, name));

/** Scripts and requests of this origin only. Swagger UI needs inline styles and data: images. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

/** For content that may change with the next release. */
const FOR_MINUTES = "public, max-age=300";
/** For content with its version in the URL: it never changes. */
const FOR_EVER = "public, max-age=31536000, immutable";

/**
 * The public pages: the OpenAPI document, the reference made from it, and the error codes. Each is compressed once, at the first
 * request.
 */
export function addDocs(router: Router, endpoints: Endpoints, publicUrl: string | undefined): void {
  const assets: Record<string, Content> = {
    "start.js": contentOf("js", Buffer.from(START_SCRIPT)),
    "swagger-ui.css": contentOf("css", swaggerFile("swagger-ui.css")),
    "swagger-ui-bundle.js": contentOf("js", swaggerFile("swagger-ui-bundle.js")),
    "favicon-32x32.png": contentOf("png", swaggerFile("favicon-32x32.png")),
  };
  for (const [name, content] of Object.entries(assets)) {
    router.get(`/docs/assets/${name}`, served(content, versionOf(content)));
  }
  const reference = referencePage((name) => `/docs/assets/${name}?${versionOf(assets[name]!)}`);
  const pages: Record<string, [type: string, text: string]> = {
    "/docs": ["html", reference],
    "/docs/errors": ["html", errorsPage()],
  };
  for (const [path, [type, text]] of Object.entries(pages)) {
    router.get(path, served(contentOf(type, Buffer.from(text))));
  }
  router.get("/openapi.json", openApi(endpoints, publicUrl));
  router.get("/", (ctx) => ctx.redirect("/docs"));
}

/** The query string for the present version of an asset. */
const versionOf = ({ etag }: Content): string => `v=${etag.slice(-13, -1)}`;

function served(content: Content, version?: string): Middleware {
  return async (ctx) => {
    const keep = version !== undefined && rawQuery(ctx) === version ? FOR_EVER : FOR_MINUTES;
    ctx.set({ "Content-Security-Policy": PAGE_POLICY, "Cache-Control": keep, Vary: "Accept-Encoding" });
    await send(ctx, content);
  };
}

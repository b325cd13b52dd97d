import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type Router from "@koa/router";
import { errorsPage } from "../docs/errors-page.ts";
import { referencePage, START_SCRIPT } from "../docs/reference-page.ts";
import { openApiDocument } from "../openapi/document.ts";
import type { Endpoints } from "./endpoints.ts";

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const SWAGGER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];

/** Scripts and requests from here only; Swagger UI sets styles in HTML and draws its icons as data. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

type Page = { type: string; body: string | Buffer; cacheSeconds: number };

/** What is open to all: the OpenAPI document, the reference that is made of it, and what errors mean. */
export function addDocs(router: Router, endpoints: Endpoints): void {
  const pages: Record<string, Page> = {
    "/openapi.json": { type: "json", body: JSON.stringify(openApiDocument(endpoints)), cacheSeconds: 300 },
    "/docs": { type: "html", body: referencePage(), cacheSeconds: 300 },
    "/docs/errors": { type: "html", body: errorsPage(), cacheSeconds: 300 },
    "/docs/assets/start.js": { type: "js", body: START_SCRIPT, cacheSeconds: 300 },
    ...Object.fromEntries(SWAGGER_FILES.map((name) => [`/docs/assets/${name}`, asset(name)])),
  };
  for (const [path, { type, body, cacheSeconds }] of Object.entries(pages)) {
    router.get(path, (ctx) => {
      ctx.set("Content-Security-Policy", PAGE_POLICY);
      ctx.set("Cache-Control", `public, max-age=${cacheSeconds}`);
      ctx.type = type;
      ctx.body = body;
    });
  }
  router.get("/", (ctx) => ctx.redirect("/docs"));
}

function asset(name: string): Page {
  return {
    type: name.slice(name.lastIndexOf(".")),
    body: readFileSync(join(SWAGGER_UI, name)),
    cacheSeconds: 86_400,
  };
}

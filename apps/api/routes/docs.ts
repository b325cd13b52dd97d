import type Router from "@koa/router";
import { FOR_EVER } from "@tranche/http/server/cache-control";
import type { Context } from "koa";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { notFound } from "../errors/api-error.ts";
import { type Content, contentOf } from "../present/answer.ts";
import { builtDocs } from "./built-docs.ts";
import { openApi } from "./openapi.ts";
import { send } from "./respond.ts";

/** Scripts, styles and requests of this origin only. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For pages, whose address stays when their content changes: asked for each time, and mostly answered with 304. */
const ASKED_EACH_TIME = "no-cache";

const NOT_BUILT = `The documentation is not built. Run \`npm run build\` in the project's folder; then reload this page.
The endpoints are described in /openapi.json.
`;

type DocsOptions = {
  /** Where `npm run build` writes the docs. */
  folder: string;
  publicUrl: string | undefined;
  publicPath: string;
  /** Address of the dashboard, which the docs link to as `/dashboard`. */
  dashboardUrl: string | undefined;
};

/** The public pages: all of the docs under `/docs`, also as Markdown, the list of them for language models, and the OpenAPI document. Each is compressed once, at the first request. */
export function addDocs(router: Router, endpoints: Endpoints, options: DocsOptions): void {
  const { folder, publicUrl, publicPath, dashboardUrl } = options;
  const find = builtDocs(folder);
  const notBuilt = contentOf("txt", Buffer.from(NOT_BUILT));
  const serve = async (ctx: Context, content: Content, cacheControl: string) => {
    ctx.set({ "Content-Security-Policy": PAGE_POLICY, "Cache-Control": cacheControl, Vary: "Accept-Encoding" });
    await send(ctx, content);
  };
  const missing = async (ctx: Context) => {
    const page = find("/docs/not-found");
    const isBrowser = ctx.get("Accept").startsWith("text/html");
    if (!isBrowser || page === undefined || page === "not built") {
      throw notFound(`There is no page ${ctx.path.slice(0, 200)}. All pages are listed at /docs.`);
    }
    await serve(ctx, page.content, "no-store");
    ctx.status = 404;
  };
  router.get(["/docs", "/docs/*path"], async (ctx) => {
    const found = find(ctx.path.replace(/\/$/, ""));
    if (found === undefined) return missing(ctx);
    if (found !== "not built") return serve(ctx, found.content, found.isImmutable ? FOR_EVER : ASKED_EACH_TIME);
    await serve(ctx, notBuilt, "no-store");
    ctx.status = 503;
  });
  router.get("/openapi.json", openApi(endpoints, publicUrl));
  router.get("/llms.txt", (ctx) => ctx.redirect(`${publicPath}/docs/llms.txt`));
  router.get("/", (ctx) => ctx.redirect(`${publicPath}/docs`));
  if (dashboardUrl !== undefined) router.get("/dashboard", (ctx) => ctx.redirect(dashboardUrl));
}

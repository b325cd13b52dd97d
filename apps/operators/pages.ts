import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PageError } from "@tranche/http/errors/page-error";
import { sitePages } from "@tranche/http/pages/site-pages";
import { readBuiltSite } from "@tranche/http/server/built-site";
import type { Middleware } from "koa";
import { PAGES_PATH } from "./access/guard.ts";

const BUILT = fileURLToPath(new URL("../../web/dist/operators", import.meta.url));

/** The operators' pages. Without a token they only say so. Where they are not built, the rest of the port works all the same. */
export function operatorsPages({ usable }: { usable: boolean }): Middleware {
  const site = existsSync(join(BUILT, "index.html")) ? readBuiltSite(BUILT) : NOT_BUILT;
  const pages = sitePages(site, { root: "/operators", home: PAGES_PATH });
  return async (ctx, next) => {
    await pages(ctx, next);
    if (!usable && ctx.status === 200 && ctx.type === "text/html") ctx.status = 403;
  };
}

const NOT_BUILT = {
  serve: async () => false,
  async index(): Promise<never> {
    throw new PageError("pages_not_built", "The pages are not built: run `npm run build` and start the process again.");
  },
};

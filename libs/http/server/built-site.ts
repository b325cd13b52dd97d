import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "koa";
import { FOR_EVER } from "./cache-control.ts";

/** Answers a request for one of the site's files; false when there is none of that path. */
export type ServeSite = (ctx: Context, path: string) => boolean;

/**
 * The built pages of a folder, read once. Each path that is not a file of `assets/` gets `index.html`, which decides what to show.
 * Throws an error for people when they are not built.
 */
export function readBuiltSite(folder: string): { serve: ServeSite; index: (ctx: Context) => void } {
  const index = join(folder, "index.html");
  if (!existsSync(index)) throw new Error(`The pages are not built: there is no ${index}. Run \`npm run build\`.`);
  const files = new Map(
    globSync("assets/**/*.*", { cwd: folder }).map((name) => [name, readFileSync(join(folder, name))] as const),
  );
  const page = readFileSync(index);
  const etag = `"${createHash("sha256").update(page).digest("base64url").slice(0, 16)}"`;
  return {
    serve(ctx, path) {
      const file = files.get(path);
      if (file === undefined) return false;
      ctx.set("Cache-Control", FOR_EVER);
      ctx.type = path.slice(path.lastIndexOf("."));
      ctx.body = file;
      return true;
    },
    index(ctx) {
      ctx.set({ "Cache-Control": "no-cache", ETag: etag });
      ctx.type = "html";
      if (ctx.fresh) ctx.status = 304;
      else ctx.body = page;
    },
  };
}

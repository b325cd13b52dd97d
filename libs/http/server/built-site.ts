import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "koa";
import { FOR_EVER } from "./cache-control.ts";
import { type Encoded, encodedOnce } from "./encoded.ts";
import { sendEncoded } from "./encoding.ts";
import { namesEtag } from "./validators.ts";

/** Built pages. */
export type BuiltSite = {
  /** Answers a request for one of the site's files; false when there is none of that path. */
  serve: (ctx: Context, path: string) => Promise<boolean>;
  index: (ctx: Context) => Promise<void>;
};

/**
 * The built pages of a folder, read once, and each compressed once, at the first request. Each path that is not a file of `assets/` gets `index.html`, which decides what to show.
 * Throws an error for people when they are not built.
 */
export function readBuiltSite(folder: string): BuiltSite {
  const index = join(folder, "index.html");
  if (!existsSync(index)) throw new Error(`The pages are not built: there is no ${index}. Run \`npm run build\`.`);
  const files = new Map(
    globSync("assets/**/*.*", { cwd: folder }).map((name) => [name, readBuilt(join(folder, name))] as const),
  );
  const page = readBuilt(index);
  const etag = `"${createHash("sha256").update(page.body).digest("base64url").slice(0, 16)}"`;
  return {
    async serve(ctx, path) {
      const file = files.get(path);
      if (file === undefined) return false;
      ctx.set("Cache-Control", FOR_EVER);
      ctx.type = path.slice(path.lastIndexOf("."));
      await send(ctx, file);
      return true;
    },
    async index(ctx) {
      ctx.set({ "Cache-Control": "no-cache", ETag: etag });
      ctx.type = "html";
      await send(ctx, page);
      if (namesEtag(ctx.get("If-None-Match"), etag)) ctx.status = 304;
    },
  };
}

type BuiltFile = { body: Buffer; encoded: Encoded };

function readBuilt(path: string): BuiltFile {
  const body = readFileSync(path);
  return { body, encoded: encodedOnce(body) };
}

async function send(ctx: Context, { body, encoded }: BuiltFile): Promise<void> {
  ctx.vary("Accept-Encoding");
  await sendEncoded(ctx, body, encoded);
}

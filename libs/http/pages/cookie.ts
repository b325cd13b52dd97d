import type { Context } from "koa";

/** A cookie of a session, which scripts and pages of other sites never see. */
export type Cookie = {
  read(ctx: Context): string | undefined;
  write(ctx: Context, value: string, expires: Date): void;
  clear(ctx: Context): void;
};

/**
 * `name`: cookies cross ports, so give each port a name of its own. `secure`: browsers reach the pages by https and take the cookie from this
 * host alone, for which it must have the path `/`: a page of a sibling domain can't plant one.
 */
export function createCookie({ name, path, secure }: { name: string; path: string; secure: boolean }): Cookie {
  const named = `${secure ? "__Host-" : ""}${name}`;
  const options = { httpOnly: true, sameSite: "strict", path: secure ? "/" : path, secure, overwrite: true } as const;
  const set = (ctx: Context, value: string | null, more: { expires?: Date } = {}) => {
    // The connection from a proxy is not encrypted; koa would refuse to send the cookie on it.
    ctx.cookies.secure = secure;
    ctx.cookies.set(named, value, { ...options, ...more });
  };
  return {
    read: (ctx) => ctx.cookies.get(named),
    write: (ctx, value, expires) => set(ctx, value, { expires }),
    clear: (ctx) => set(ctx, null),
  };
}

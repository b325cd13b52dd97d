import type { Context } from "koa";

/**
 * The cookie that carries a session's token. Cookies cross ports, so each port has a name of its own. Where the address is https, browsers
 * take it from this host alone, for which it must have the path `/`: a page of a sibling domain can't plant one.
 */
export type SessionCookie = {
  read(ctx: Context): string | undefined;
  write(ctx: Context, token: string, expires: Date): void;
  clear(ctx: Context): void;
};

/** `address`: under which browsers reach the dashboard. */
export function createSessionCookie(address: string): SessionCookie {
  const { protocol, port: given } = new URL(address);
  const secure = protocol === "https:";
  const port = given || (secure ? "443" : "80");
  const name = `${secure ? "__Host-" : ""}tranche_session_${port}`;
  const path = secure ? "/" : "/dashboard";
  const options = { httpOnly: true, sameSite: "strict", path, secure, overwrite: true } as const;
  return {
    read: (ctx) => ctx.cookies.get(name),
    write(ctx, token, expires) {
      // The connection from a proxy is not encrypted; koa would refuse to send the cookie on it.
      ctx.cookies.secure = secure;
      ctx.cookies.set(name, token, { ...options, expires });
    },
    clear(ctx) {
      ctx.cookies.secure = secure;
      ctx.cookies.set(name, null, options);
    },
  };
}
